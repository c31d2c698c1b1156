// First the zones of planes are divided until each is one plane; then patterns fill the planes,
// each from the node that holds its message. What is said of a plane is relative to that node.
#include "firmware/collectives/edn/edn_torus.hpp"

namespace annelid::firmware::edn_torus {
namespace {

int trailing_zeros(int value) {  // of one that is not 0; the core has no instruction for it
  int zeros = 0;
  for (; (value & 1) == 0; value >>= 1) ++zeros;
  return zeros;
}

/// x and y, modulo the side of a plane.
struct Offset {
  int x, y;
};

// ---- In a plane --------------------------------------------------------------------------------

/// What a node was in the Y step before a T step: one that sent it, or the target a, b or c.
enum Kind : std::uint8_t { kHolder, kA, kB, kC };

constexpr Offset kYPattern[] = {{-1, -1}, {0, 2}, {2, 0}};  // to a, b, c
constexpr Offset kTPattern[4][3] = {{{0, -1}, {1, 0}, {-1, 0}},
                                    {{2, 0}, {-1, -1}, {0, -1}},
                                    {{-1, -1}, {0, -1}, {1, 0}},
                                    {{-1, 1}, {0, -1}, {0, 1}}};
constexpr Offset kFPattern[] = {{-1, 1}, {0, 1}, {1, 0}};

/// By which message a node whose coordinates are multiples of δ, but not both of 4δ, is reached in
/// δ's phase; by its coordinates in units of δ, modulo 4.
struct Reached {
  bool in_t;  ///< rather than in the Y step
  Kind kind;  ///< of the node in the T step, if it was reached before it
  Offset by;  ///< from the sender
};
constexpr std::size_t index_of(int x, int y) {
  return static_cast<std::size_t>(4 * (y & 3) + (x & 3));
}
constexpr std::array<Reached, 16> make_reached() {
  std::array<Reached, 16> reached{};
  constexpr Offset at[] = {{0, 0}, kYPattern[0], kYPattern[1], kYPattern[2]};
  for (std::size_t kind = 0; kind < 4; ++kind) {
    if (kind != kHolder)
      reached[index_of(at[kind].x, at[kind].y)] = {false, static_cast<Kind>(kind), at[kind]};
    for (const Offset by : kTPattern[kind])
      reached[index_of(at[kind].x + by.x, at[kind].y + by.y)] = {true, kHolder, by};
  }
  return reached;
}
constexpr std::array<Reached, 16> kReached = make_reached();

/// Planes of 2^d x 2^d.
struct Plane {
  int d;
  [[nodiscard]] int side() const { return 1 << d; }
  /// In a plane of 2 x 2 one step with both rings would contend.
  [[nodiscard]] int steps() const { return d == 1 ? 2 : d; }
  /// Whether a step is the F at the end, in which neighbours are reached.
  [[nodiscard]] bool is_f(int step) const { return d % 2 == 1 && step == d; }
  /// log2 of δ in the Y step 2i + 1 and the T step 2i + 2.
  [[nodiscard]] int log2_delta(int step) const { return d - 2 - (step - 1) / 2 * 2; }
};

struct Arrival {
  int step;   ///< 0: the plane's first holder
  Kind kind;  ///< in the next T step
  Offset by;  ///< from the sender
};
[[gnu::noinline]] Arrival arrival(Plane plane, Offset at) {
  if ((at.x | at.y) == 0) return {0, kHolder, {}};
  if (plane.d == 1) return at.y != 0 ? Arrival{2, kHolder, {0, 1}} : Arrival{1, kHolder, {1, 0}};
  int log2_delta = trailing_zeros(at.x | at.y);
  if ((log2_delta ^ plane.d) & 1) --log2_delta;
  if (log2_delta < 0) {  // the neighbour of a node with even coordinates
    const Offset by = (at.x & 1) == 0   ? Offset{0, 1}
                      : (at.y & 1) == 0 ? Offset{1, 0}
                                        : Offset{-1, 1};
    return {plane.d, kHolder, by};
  }
  const Reached& reached = kReached[index_of(at.x >> log2_delta, at.y >> log2_delta)];
  const int step = plane.d - 1 - log2_delta + (reached.in_t ? 1 : 0);
  return {step, reached.kind, {reached.by.x << log2_delta, reached.by.y << log2_delta}};
}

/// Calls send(offset) for each message of a step of a node that has the message, and has `kind` if
/// it is a T step.
template <typename Send>
void for_each_send(Plane plane, int step, Kind kind, Send send) {
  if (plane.d == 1) return send(step == 1 ? Offset{1, 0} : Offset{0, 1});
  const bool f = plane.is_f(step);
  const int log2_delta = f ? 0 : plane.log2_delta(step);
  const auto& pattern = f ? kFPattern : step % 2 == 1 ? kYPattern : kTPattern[kind];
  for (const Offset by : pattern) send(Offset{by.x << log2_delta, by.y << log2_delta});
}

/// Nodes of the tree of a node that is reached so: after T with δ the holders are all multiples of
/// δ, and each fills δ x δ nodes.
int nodes_in_plane(Plane plane, const Arrival& arrival) {
  if (arrival.step == 0) return plane.side() * plane.side();
  if (plane.d == 1) return arrival.step == 1 ? 2 : 1;
  if (plane.is_f(arrival.step)) return 1;
  const int own = 1 << 2 * plane.log2_delta(arrival.step);
  return arrival.kind == kHolder ? own : 4 * own;
}

// ---- Across the planes -------------------------------------------------------------------------

/// Neighbouring planes of which one node has the message, and the steps done. Planes are counted in
/// a line: that of the mesh, or a ring, cut so that the source is in the middle.
struct Zone {
  int first, planes;
  int plane;      ///< of the holder
  Offset holder;  ///< relative to the source
  int step;
};

/// How a zone is divided.
struct Division {
  int zones;  ///< sub-zones
  int own;    ///< the holder's

  [[gnu::noinline]] Division(const Zone& zone, int d, bool as_dissertation) {
    const int most = d == 1 ? 5 : 7;
    zones = as_dissertation && zone.step > 0 ? most - 1 : most;
    if (zones >= zone.planes) zones = zone.planes;
    const auto find_own = [&] { own = ((zone.plane - zone.first + 1) * zones - 1) / zone.planes; };
    find_own();
    if (zones == most && (own == 0 || own == zones - 1)) {
      --zones;
      find_own();
    }
  }
};

int wrapped(int value, int d) { return value & ((1 << d) - 1); }

/// The sub-zone i, with its holder.
[[gnu::noinline]] Zone sub_zone(const Zone& zone, const Division& division, int i, int d) {
  // In the order in which the ways are given away: those above from the nearest, then those below.
  constexpr Offset kWays[] = {{0, -1}, {1, 0}, {-1, 0}, {0, 1}}, kWaysOf2[] = {{1, 0}, {0, 1}};
  const int begin = i * zone.planes / division.zones;
  const int planes = (i + 1) * zone.planes / division.zones - begin;
  Zone result{zone.first + begin, planes, zone.plane, zone.holder, zone.step + 1};
  if (i == division.own) return result;
  result.plane = result.first + (planes - 1) / 2;
  const int above = division.zones - 1 - division.own, below = division.own;
  const int straight_above = above < 3 ? above : 3, straight_below = below < 2 ? below : 2;
  int way = 0;
  if (i > division.own) {
    const int number = i - division.own;
    if (number == straight_above) return result;
    way = number < straight_above ? number - 1 : number - 2;
  } else {
    const int number = division.own - i;
    if (number == straight_below) return result;
    way = (above > 0 ? above - 1 : 0) + (number < straight_below ? number - 1 : number - 2);
  }
  const Offset by = d == 1 ? kWaysOf2[way] : kWays[way];
  result.holder = {wrapped(zone.holder.x + by.x, d), wrapped(zone.holder.y + by.y, d)};
  return result;
}

/// The frame, in the rule's own terms.
struct Torus {
  Plane plane;
  int planes;
  int cut;  ///< the plane of the network that is the line's first
  Address source;
  bool as_dissertation;

  [[gnu::noinline]] explicit Torus(const Frame& frame)
      : plane{trailing_zeros(frame.size().x)},
        planes(frame.size().z),
        cut(0),
        source(frame.root()),
        as_dissertation(frame.parameter() == 1) {
    if (frame.is_ring(2)) {
      cut = source.z - (planes - 1) / 2;
      if (cut < 0) cut += planes;
    }
  }
  [[nodiscard]] int line(int z) const { return z >= cut ? z - cut : z - cut + planes; }
  [[nodiscard]] Zone all() const { return {0, planes, line(source.z), {0, 0}, 0}; }
  [[nodiscard]] Division divide(const Zone& zone) const { return {zone, plane.d, as_dissertation}; }
  [[nodiscard]] Zone sub_zone(const Zone& zone, const Division& division, int i) const {
    return edn_torus::sub_zone(zone, division, i, plane.d);
  }

  [[nodiscard]] Offset offset(Address node) const {
    return {wrapped(node.x - source.x, plane.d), wrapped(node.y - source.y, plane.d)};
  }
  [[nodiscard]] Address node(Offset at, int line) const {
    const int z = line + cut < planes ? line + cut : line + cut - planes;
    return {static_cast<std::uint8_t>(wrapped(at.x + source.x, plane.d)),
            static_cast<std::uint8_t>(wrapped(at.y + source.y, plane.d)),
            static_cast<std::uint8_t>(z)};
  }
};

/// Where a node gets the message.
struct Place {
  Zone zone;    ///< that the node is in then; it is the holder, or the zone is its plane
  bool holder;  ///< of the zone
  Zone before;  ///< that was divided into it, if it is the holder and not the source
};
[[gnu::noinline]] Place find_place(const Torus& torus, Address node) {
  const Offset at = torus.offset(node);
  const int plane = torus.line(node.z);
  const auto holds = [&](const Zone& zone) {
    return zone.plane == plane && zone.holder.x == at.x && zone.holder.y == at.y;
  };
  Place place{torus.all(), false, torus.all()};
  while (!(place.holder = holds(place.zone)) && place.zone.planes > 1) {
    place.before = place.zone;
    const Division division = torus.divide(place.zone);
    const int i = ((plane - place.zone.first + 1) * division.zones - 1) / place.zone.planes;
    place.zone = torus.sub_zone(place.zone, division, i);
  }
  return place;
}

// What the rule keeps in the plan: while the node holds a zone, that zone; then the next step in
// its plane, the step after which that began, the node's kind.
constexpr std::size_t kZone = 0, kStep = 1, kInPlane = 2, kKind = 3;

bool fits(Frame& frame) {
  const Size size = frame.size();
  return frame.is_network() && size.x == size.y && size.x >= 2 && (size.x & (size.x - 1)) == 0 &&
         frame.is_ring(0) && frame.is_ring(1);
}

int zone_steps(const Torus& torus, const Zone& zone) {
  if (zone.planes == 1) return zone.step;
  const Division division = torus.divide(zone);
  const int own = zone_steps(torus, torus.sub_zone(zone, division, division.own));
  Zone largest = torus.sub_zone(zone, division, division.own == 0 ? 1 : 0);
  for (int i = 1; i < division.zones; ++i) {
    const Zone other = torus.sub_zone(zone, division, i);
    if (i != division.own && other.planes > largest.planes) largest = other;
  }
  const int others = zone_steps(torus, largest);
  return own > others ? own : others;
}
int steps(const Frame& frame) {
  const Torus torus(frame);
  return zone_steps(torus, torus.all()) + torus.plane.steps();
}

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  const Torus torus(frame);
  const Place place = find_place(torus, node);
  plan.receive_step = 0;
  plan.state = {static_cast<std::uint32_t>(place.zone.first << 16 | place.zone.planes),
                static_cast<std::uint32_t>(place.zone.step), 1, kHolder};
  if (place.holder) {
    if (node == frame.root()) return;
    plan.parent = torus.node(place.before.holder, place.before.plane);
    plan.receive_step = place.zone.step;
    return;
  }
  const Offset at = torus.offset(node);
  const Arrival reached =
      arrival(torus.plane, {wrapped(at.x - place.zone.holder.x, torus.plane.d),
                            wrapped(at.y - place.zone.holder.y, torus.plane.d)});
  plan.parent = torus.node({at.x - reached.by.x, at.y - reached.by.y}, place.zone.plane);
  plan.receive_step = place.zone.step + reached.step;
  plan.state[kInPlane] = static_cast<std::uint32_t>(reached.step + 1);
  plan.state[kKind] = reached.kind;
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  const Torus torus(frame);
  const Offset at = torus.offset(node);
  const int line = torus.line(node.z);
  plan.clear();
  const int planes = static_cast<int>(plan.state[kZone] & 0xFFFF);
  if (planes > 1) {
    const Zone zone{static_cast<int>(plan.state[kZone] >> 16), planes, line, at,
                    static_cast<int>(plan.state[kStep])};
    const Division division = torus.divide(zone);
    for (int i = 0; i < division.zones; ++i) {
      const Zone part = torus.sub_zone(zone, division, i);
      if (i != division.own) {
        plan.append(torus.node(part.holder, part.plane));
      } else {
        plan.state[kZone] = static_cast<std::uint32_t>(part.first << 16 | part.planes);
      }
    }
    plan.state[kStep] = static_cast<std::uint32_t>(plan.step = zone.step + 1);
    return true;
  }
  const int step = static_cast<int>(plan.state[kInPlane]);
  if (step > torus.plane.steps()) return false;
  for_each_send(torus.plane, step, static_cast<Kind>(plan.state[kKind]), [&](Offset by) {
    plan.append(torus.node({at.x + by.x, at.y + by.y}, line));
  });
  plan.step = static_cast<int>(plan.state[kStep]) + step;
  plan.state[kInPlane] = static_cast<std::uint32_t>(step + 1);
  if (step % 2 == 0) plan.state[kKind] = kHolder;
  return true;
}

std::uint32_t subtree(const Frame& frame, Address node) {
  const Torus torus(frame);
  const Place place = find_place(torus, node);
  const int side = torus.plane.side();
  if (place.holder) return static_cast<std::uint32_t>(place.zone.planes * side * side);
  const Offset at = torus.offset(node);
  return static_cast<std::uint32_t>(nodes_in_plane(
      torus.plane, arrival(torus.plane, {wrapped(at.x - place.zone.holder.x, torus.plane.d),
                                         wrapped(at.y - place.zone.holder.y, torus.plane.d)})));
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree};

}  // namespace annelid::firmware::edn_torus
