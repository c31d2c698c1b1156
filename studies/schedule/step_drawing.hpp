// Draws one step of a schedule: the contents of a panel of draw_schedule().
#pragma once

#include <string>
#include <vector>

#include "reference/checks/contention.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::studies {

/// Lengths of a drawing, in pixels.
struct DrawingScale {
  explicit DrawingScale(const reference::Network& network);

  double cell = 0;     ///< from node to node
  double node = 0;     ///< a node's radius
  double lane = 0;     ///< from a link's middle to the messages of one direction
  double line = 0;     ///< a message's width
  double plane_x = 0;  ///< a plane of nodes, with its margins and the gap to the next
  double plane_y = 0;  ///< likewise
  double margin = 0;   ///< from a plane's edge to its first node
};

enum class NodeState : std::uint8_t {
  kIdle,  ///< has taken no part in the schedule yet
  kDone,  ///< has the data of a broadcast or scatter; has given its own to a reduction or gather
};

struct StepPicture {
  const reference::Network& network;
  const reference::Step& step;
  const std::vector<NodeState>& states;  ///< by node, before the step
  const reference::Node* root;           ///< nullptr if there is none
};

/// Returns the contents of an SVG group, with the origin at the upper left corner.
[[nodiscard]] std::string draw_step(const DrawingScale& scale, const StepPicture& picture);

/// A colour for each message. The messages of one sender have shades of one colour, and
/// neighbouring senders have different colours.
struct MessageColours {
  std::vector<std::string> messages;  ///< by place in the step
  std::vector<std::string> senders;   ///< by node; "" if it sends nothing
};
[[nodiscard]] MessageColours colour_messages(const reference::Network& network,
                                             const reference::Step& step);

}  // namespace annelid::studies
