#pragma once

#include "stoker/models/detail/winograd_layout.h"

namespace stoker::detail::winograd {

/// Rows of a product are computed in blocks of this many at most.
constexpr size_t kRowBlock = 8;

/// A product of matrices at one point: out[row] = Σ_k left[row][k] right[k].
struct Product {
  const float* left;
  size_t left_group;  ///< Stride between groups of 16 channels, in floats.
  const float* right;
  size_t right_group;
  float* out;
  size_t out_group;
  size_t rows;    ///< Of the result: a multiple of kRowBlock.
  size_t depth;   ///< Length of the sum.
  size_t groups;  ///< Groups of the result's channels.
  bool add;       ///< To what `out` holds.
};

/// The sum runs over the channels of `left`.
void multiply(const Product& product);

/// `left` is taken transposed: the sum runs over its rows.
void multiply_transposed(const Product& product);

}  // namespace stoker::detail::winograd
