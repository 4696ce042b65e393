#pragma once

#include "stoker/data/codecs/image.h"

namespace stoker::data::detail {

// torchvision's changes of colours of a uint8 image of 1 or 3 channels, in place.

/// v becomes factor * v; factor at least 0.
void adjust_brightness(Image& image, double factor);
/// Away from (factor above 1) or towards (below 1) the mean of the greys.
void adjust_contrast(Image& image, double factor);
/// Away from or towards each pixel's own grey.
void adjust_saturation(Image& image, double factor);
/// Turns the colours by `turn`, from -0.5 to 0.5 of the circle.
void adjust_hue(Image& image, double turn);
/// Each pixel's grey in all channels.
void make_grey(Image& image);
/// Keeps the highest `bits` bits, 0 to 8.
void posterize(Image& image, int bits);
/// Inverts values of at least `threshold`, 0 to 255.
void solarize(Image& image, double threshold);
/// Stretches the values of each channel over 0 to 255.
void autocontrast(Image& image);
/// Spreads the values of each channel evenly, as Pillow does.
void equalize(Image& image);
void invert(Image& image);

}  // namespace stoker::data::detail
