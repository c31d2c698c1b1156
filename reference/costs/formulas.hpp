// The papers' closed forms, with their sections. Time may be in any unit: alpha and gamma are per
// message, beta is per flit (or byte) and hop. `length` is in flits (or bytes). Where the printed
// form is wrong, the comment states the correction. "Tsai" is the dissertation of 1997.
#pragma once

#include "reference/schedule/network.hpp"

namespace annelid::reference::formulas {

struct Cost {
  double alpha = 0;  ///< start-up of a send
  double beta = 0;   ///< a flit over a channel
  double gamma = 0;  ///< reception
};

/// Latency as a line over the message length: start + per_length * length (Tsai, 5.1).
struct LinearTime {
  double start = 0, per_length = 0;
  [[nodiscard]] double at(double length) const { return start + per_length * length; }
  /// The parameter tau of Section 5.1.
  [[nodiscard]] double tau() const { return per_length / start; }
};

/// Returns the length at which two lines meet. It is infinite or negative if they meet at no
/// length.
double crossover(const LinearTime& a, const LinearTime& b);

/// A wormhole message over h hops: alpha + h beta + length beta + gamma (4.4.2, 5.3).
double message(const Cost& c, double hops, double length);

// These forms leave out the hops: 2D mesh of 2^k x 2^k (3.3.3), 3D mesh of 4 2^k x 4 2^k x 4 2^m or
// 4 3^m (3.4.4).

LinearTime recursive_doubling_2d(const Cost& c, int k);  ///< 2k (alpha + gamma + L beta)
/// 3k alpha + (k+1) gamma + (k+1) L beta
LinearTime edn_2d(const Cost& c, int k);
LinearTime recursive_doubling_3d(const Cost& c, int k, int m);  ///< 2k + m + 6 steps
/// (3k+2m+10) alpha + (k+m+4) gamma + (k+m+4) L beta. With alpha = gamma it crosses recursive
/// doubling at (m+2) alpha / ((k+2) beta), where (m+3) is printed.
LinearTime edn_3d(const Cost& c, int k, int m);

// These forms include the hops: 2D torus of 2^d x 2^d (4.4.2).

LinearTime edn_torus(const Cost& c, int d);  ///< Eq. 4.1
/// Eq. 4.2; X and Y powers of two. Its derivation in print has the term of the hops twice.
LinearTime u_torus(const Cost& c, int x, int y);
/// Eq. 4.3: EDN is not slower than the U-torus algorithm.
bool edn_torus_is_not_slower(const Cost& c, int d, double length);

// These forms include the hops: 2D mesh of 2^n x 2^n (5.3, Table 5.3; Table 5.2 counts volume and
// hops n times).

LinearTime dimensional_broadcast(const Cost& c, int n);  ///< "RD" of Chapter 5
LinearTime scatter_collect(const Cost& c, int n);
LinearTime fibonacci_tree(const Cost& c, int n, int packets);
LinearTime edn_approximate(const Cost& c, int n);  ///< half the hops of RD

/// All-to-all, version B: P (P-1) (alpha + L beta) (5.5.2).
LinearTime token_all_to_all(const Cost& c, int nodes);

// Linear array of p nodes (Barnett and others 1994, Sections 4 and 5). `combine` is the time to
// combine one unit.

LinearTime mst_broadcast(const Cost& c, int p);  ///< ceil(log2 p) (alpha + n beta)
LinearTime mst_scatter(const Cost& c, int p);  ///< ceil(log2 p) alpha + (p-1)/p n beta; gather too
LinearTime bucket_collect(const Cost& c, int p);  ///< (p-1) alpha + (p-1)/p n beta
/// The bucket collect plus (p-1)/p n combine.
LinearTime bucket_combine(const Cost& c, int p, double combine);
/// Scatter and collect in one line, and (Section 7) in the rows and columns of a mesh.
LinearTime scatter_collect_line(const Cost& c, int p);
LinearTime scatter_collect_mesh(const Cost& c, int rows, int columns);

/// The fewest steps of a broadcast: Sections 3.3.3 with 3 ports, 3.4.3 with 4, 4.4.1 with 2n.
using reference::fewest_steps;

}  // namespace annelid::reference::formulas
