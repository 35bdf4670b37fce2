"""Each corruption of images against its definition, written from the statement of it."""

from __future__ import annotations

import colorsys
import io

import numpy as np
import PIL.Image
import pytest
from method.corrupting import KINDS, made, names, scene

from chef.method.corruptions import digital, noise, weather
from chef.method.corruptions.base import (
    FROSTS,
    Corruption,
    disk_kernel,
    frost,
    motion_kernel,
    plasma,
    zoomed,
)
from chef.method.sequences import ImageSequence

FLAT = np.full((300, 400, 3), 128, np.uint8)


def test_there_are_all_of_them() -> None:
    assert len(KINDS) == 23
    assert all(len(kind.levels) == 5 for kind in KINDS)
    assert len({kind.title for kind in KINDS}) == 23
    assert all(kind in names() for kind in KINDS)
    assert [len(group) for group in ImageSequence.groups] == [4, 5, 5, 5, 1, 1, 1, 1]


# Noise: moments.


@pytest.mark.parametrize("severity", [1, 3, 5])
def test_gaussian_noise_has_its_moments(severity: int) -> None:
    sigma = (0.04, 0.06, 0.08, 0.09, 0.10)[severity - 1] * 255
    error = made(noise.GaussianNoise, FLAT, severity) - 128
    assert abs(error.mean()) < 5 * sigma / error.size**0.5
    assert error.std() == pytest.approx(sigma, rel=0.02)
    assert np.percentile(error, 84.13) == pytest.approx(sigma, abs=1)
    flat = error.reshape(-1, 3)
    assert abs(np.corrcoef(flat.T) - np.eye(3)).max() < 0.02, "channels are independent"


@pytest.mark.parametrize("severity", [1, 5])
def test_shot_noise_has_the_variance_of_counts(severity: int) -> None:
    rate = (500, 250, 100, 75, 50)[severity - 1]
    for level in (40, 128):
        error = made(noise.ShotNoise, np.full_like(FLAT, level), severity) / 255
        assert error.mean() == pytest.approx(level / 255, abs=0.002)
        assert error.var() == pytest.approx(level / 255 / rate, rel=0.05)


@pytest.mark.parametrize("severity", [1, 5])
def test_impulse_noise_sets_a_share_to_the_ends(severity: int) -> None:
    amount = (0.01, 0.02, 0.03, 0.05, 0.07)[severity - 1]
    values = made(noise.ImpulseNoise, FLAT, severity)
    assert set(np.unique(values)) == {0, 128, 255}
    for end in (0, 255):
        assert (values == end).mean() == pytest.approx(amount / 2, rel=0.1)


@pytest.mark.parametrize("severity", [1, 5])
def test_speckle_noise_grows_with_the_value(severity: int) -> None:
    sigma = (0.06, 0.10, 0.12, 0.16, 0.20)[severity - 1]
    for level in (50, 110):
        values = made(noise.SpeckleNoise, np.full_like(FLAT, level), severity)
        assert values.mean() == pytest.approx(level, rel=0.01)
        assert values.std() == pytest.approx(sigma * level, rel=0.03)
    assert made(noise.SpeckleNoise, np.zeros_like(FLAT), severity).max() == 0


# Blur: kernels.


@pytest.mark.parametrize("level", noise.DefocusBlur.levels)
def test_the_kernel_of_a_lens(level: tuple[float, float]) -> None:
    kernel = disk_kernel(*level)
    assert kernel.sum() == pytest.approx(1)
    assert (kernel >= 0).all()
    for turned in (kernel.T, kernel[::-1], kernel[:, ::-1]):
        np.testing.assert_allclose(kernel, turned, atol=1e-7)
    middle = len(kernel) // 2
    assert kernel[middle, middle] == kernel.max()


def test_a_lens_of_one_pixel_is_the_gaussian_of_its_edge() -> None:
    kernel = disk_kernel(0.3, 0.4)
    beside = np.exp(-1 / (2 * 0.4**2))
    middle = len(kernel) // 2
    assert kernel[middle, middle + 1] / kernel[middle, middle] == pytest.approx(beside, rel=1e-4)
    assert kernel[middle + 1, middle + 1] / kernel[middle, middle] == pytest.approx(
        beside**2, rel=1e-3
    )


@pytest.mark.parametrize("level", noise.MotionBlur.levels)
@pytest.mark.parametrize("angle", [-45, 0, 30])
def test_the_kernel_of_motion(level: tuple[float, float], angle: float) -> None:
    kernel = motion_kernel(*level, angle)
    assert kernel.sum() == pytest.approx(1)
    reach = len(kernel) // 2
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    along = (x * np.cos(np.radians(angle)) + y * np.sin(np.radians(angle)))[kernel > 0]
    across = (-x * np.sin(np.radians(angle)) + y * np.cos(np.radians(angle)))[kernel > 0]
    assert along.min() > -1.5, "it goes to one side"
    assert abs(across).max() < 1.5, "it is a line"
    taps = np.arange(0, min(2 * level[0], np.ceil(5 * level[1])) + 1)
    weights = np.exp(-(taps**2) / (2 * level[1] ** 2))
    mean = (kernel * (x * np.cos(np.radians(angle)) + y * np.sin(np.radians(angle)))).sum()
    assert mean == pytest.approx((weights * taps).sum() / weights.sum(), rel=1e-3)


@pytest.mark.parametrize("kind", [*ImageSequence.groups[1]])
@pytest.mark.parametrize("severity", [1, 5])
def test_blur_of_nothing_is_nothing(kind: type[Corruption], severity: int) -> None:
    colored = np.broadcast_to(np.array([10, 120, 250], np.uint8), (50, 60, 3))
    np.testing.assert_allclose(made(kind, colored, severity), colored, atol=1)


@pytest.mark.parametrize("kind", [noise.DefocusBlur, noise.MotionBlur, noise.GaussianBlur])
def test_a_point_becomes_the_kernel_in_its_own_channel(kind: type[Corruption]) -> None:
    """Channels never mix."""
    point = np.zeros((41, 41, 3), np.uint8)
    point[20, 20, 1] = 255
    spread = made(kind, point, 5)
    assert spread[..., 0].max() == spread[..., 2].max() == 0
    assert spread[..., 1].sum() == pytest.approx(255, abs=10)  # each pixel is rounded
    assert 0 < spread[20, 20, 1] < 255


def test_glass_moves_pixels_near_and_far_from_the_corner() -> None:
    """Without its two filters it is a permutation, all over the image, by a step or a few."""
    numbered = np.arange(90 * 100).reshape(90, 100)
    pixels = np.stack([numbered // 256, numbered % 256, 0 * numbered], -1).astype(np.uint8)
    moved = noise.GlassBlur.corrupted(pixels, (0, 1, 1), np.random.default_rng(0)).astype(int)
    places = moved[..., 0] * 256 + moved[..., 1]
    assert sorted(places.ravel()) == [*range(9000)]
    y, x = np.mgrid[:90, :100]
    down, right = places // 100 - y, places % 100 - x
    assert max(abs(down).max(), abs(right).max()) <= 8
    assert np.median(np.hypot(down, right)) <= 2
    has_moved = places != numbered
    for rows in (slice(2, 30), slice(60, 88)):
        assert has_moved[rows, 40:98].mean() > 0.7, "also beyond the 32 x 32 of the upper left"


def test_zoom_is_the_mean_of_enlargements() -> None:
    pixels = scene()
    shown = made(noise.ZoomBlur, pixels, 1)
    factors = [1.00, 1.01, 1.02, 1.03, 1.04, 1.05]
    each = [pixels, *(zoomed(pixels, factor) for factor in factors)]
    np.testing.assert_allclose(shown, np.mean(each, axis=0), atol=0.51)
    assert [round((level - 1) * 100) for level in noise.ZoomBlur.levels] == [6, 11, 16, 21, 26]


def test_an_enlargement_keeps_the_middle() -> None:
    y, x = np.mgrid[-50:51, -60:61].astype(np.float32)
    larger = zoomed(np.hypot(y, x).astype(np.float32), 1.25)
    inner = np.s_[20:-20, 20:-20]
    np.testing.assert_allclose(larger[inner], np.hypot(y, x)[inner] / 1.25, atol=0.5)


# Weather.


def test_brightness_raises_v_alone() -> None:
    pixels = scene(12, 16)
    shown = made(weather.Brightness, pixels, 3)
    for before, after in zip(pixels.reshape(-1, 3), shown.reshape(-1, 3), strict=True):
        hue, saturation, value = colorsys.rgb_to_hsv(*before / 255)
        wanted = colorsys.hsv_to_rgb(hue, saturation, min(1, value + 0.15))
        np.testing.assert_allclose(after / 255, wanted, atol=0.003)
    assert made(weather.Brightness, np.zeros((1, 1, 3), np.uint8), 1).ravel().tolist() == [13] * 3


@pytest.mark.parametrize("severity", [1, 3, 5])
def test_fog_keeps_the_range(severity: int) -> None:
    """``(x + amount * f) * m / (m + amount)`` with f from 0 to 1 and m the largest value."""
    amount = (0.2, 0.5, 0.75, 1, 1.5)[severity - 1]
    brightest = 200
    shown = made(weather.Fog, np.full((256, 256, 3), brightest, np.uint8), severity) / 255
    m = brightest / 255
    assert shown.max() == pytest.approx(m, abs=0.004)
    assert shown.min() == pytest.approx(m * m / (m + amount), abs=0.004)
    assert (shown[..., 0] == shown[..., 1]).all()


def test_plasma_is_rougher_with_less_decay() -> None:
    rough, smooth = (plasma(np.random.default_rng(0), decay) for decay in (1.75, 3))
    assert rough.shape == (256, 256)
    for field in (rough, smooth):
        assert (field.min(), field.max()) == (0, 1)
    steps = [abs(np.diff(field, axis=0)).mean() / field.std() for field in (rough, smooth)]
    assert steps[0] > 2 * steps[1]


def test_frost_is_a_mixture_with_one_of_six() -> None:
    textures = [frost(number) for number in range(FROSTS)]
    assert len({texture.tobytes() for texture in textures}) == 6
    seen = set()
    for seed in range(40):
        shown = made(weather.Frost, np.full((256, 256, 3), 100, np.uint8), 3, seed)
        fits = [
            abs(shown - np.clip(0.9 * 100 + 0.4 * texture, 0, 255)).max() for texture in textures
        ]
        assert min(fits) <= 0.51
        seen.add(int(np.argmin(fits)))
    assert seen == set(range(6))


def test_snow_is_pale_with_flakes() -> None:
    dark = np.full((120, 160, 3), 60, np.uint8)
    for severity, mix in zip((1, 5), (0.95, 0.8), strict=True):
        shown = made(weather.Snow, dark, severity)
        ground = mix * 60 + (1 - mix) * min(255, 60 * 1.5 + 0.5 * 255)
        assert shown.min() >= round(ground) - 1
        assert shown.max() > ground + 30
        assert (shown[..., 0] == shown[..., 2]).all()
    flakes = made(weather.Snow, np.zeros_like(dark), 1)
    np.testing.assert_array_equal(flakes, flakes[::-1, ::-1])  # once as they are, once turned


@pytest.mark.parametrize("severity", [1, 2, 3])
def test_water_lightens_and_is_pale_blue(severity: int) -> None:
    added = made(weather.Spatter, np.zeros((150, 150, 3), np.uint8), severity)
    assert 0.005 < (added.max(axis=2) > 0).mean() < 0.9
    wet = added[..., 1] > 40
    assert added[wet][:, 0].mean() / added[wet][:, 1].mean() == pytest.approx(175 / 238, rel=0.05)


@pytest.mark.parametrize("severity", [4, 5])
def test_mud_is_brown_and_covers(severity: int) -> None:
    shown = made(weather.Spatter, np.full((200, 200, 3), 255, np.uint8), severity)
    covered = shown.reshape(-1, 3)[(shown.reshape(-1, 3) < 110).all(axis=1)]
    assert len(covered) > 20
    np.testing.assert_allclose(covered.min(axis=0), [63, 42, 20], atol=12)
    assert (shown == 255).all(axis=2).mean() > 0.2


# Digital.


def test_contrast_is_around_the_mean_of_each_channel() -> None:
    pixels = scene()
    shown = made(digital.Contrast, pixels, 3)
    mean = pixels.mean(axis=(0, 1))
    np.testing.assert_allclose(shown, (pixels - mean) * 0.4 + mean, atol=0.51)


def test_the_first_elastic_transform_is_affine() -> None:
    """Three points move by at most 0.08 * 32 pixels, so a straight line stays straight."""
    y, x = np.mgrid[:200, :200]
    pixels = np.stack([x, y, 0 * x], -1).astype(np.uint8)
    for seed in range(5):
        shown = made(digital.ElasticTransform, pixels, 1, seed)[40:160, 40:160]
        for axis, channel in ((0, 0), (1, 1)):
            slopes = shown[-1, :, channel] - shown[0, :, channel]
            if axis == 1:
                slopes = shown[:, -1, channel] - shown[:, 0, channel]
            assert np.ptp(slopes) <= 2
        centre = shown[60, 60, :2]
        assert abs(centre - 100).max() < 4


@pytest.mark.parametrize("severity", [2, 3, 4, 5])
def test_elastic_moves_no_further_than_it_may(severity: int) -> None:
    strength, _, reach = digital.ElasticTransform.levels[severity - 1]
    x = np.broadcast_to(np.linspace(0, 254, 128)[None, :], (128, 128))
    pixels = np.stack([x] * 3, -1).astype(np.uint8)
    shown = made(digital.ElasticTransform, pixels, severity)
    moved = abs(shown - pixels)[20:-20, 20:-20].max() / 2  # two levels are a pixel
    assert moved <= 32 * (strength + 3 * reach) + 1
    assert moved > 0.2


def test_pixelate_takes_nearest_pixels() -> None:
    pixels = scene(40, 60)
    shown = made(digital.Pixelate, pixels, 5)
    colors = {tuple(color) for color in pixels.reshape(-1, 3)}
    assert {tuple(color) for color in shown.reshape(-1, 3).astype(int)} <= colors
    rows = len({row.tobytes() for row in shown})
    assert rows <= int(40 * 0.65)


def test_jpeg_is_pillows_at_the_quality() -> None:
    pixels = scene()
    for severity, quality in enumerate((80, 65, 58, 50, 40), 1):
        file = io.BytesIO()
        PIL.Image.fromarray(pixels).save(file, "JPEG", quality=quality)
        wanted = np.asarray(PIL.Image.open(file))
        np.testing.assert_array_equal(made(digital.Jpeg, pixels, severity), wanted)


@pytest.mark.parametrize("severity", [1, 2, 3, 4, 5])
def test_saturate_changes_s_alone(severity: int) -> None:
    scale, shift = ((0.3, 0), (0.1, 0), (1.5, 0), (2, 0.1), (2.5, 0.2))[severity - 1]
    pixels = scene(12, 16)
    pixels[0, :3] = [[0, 0, 0], [90, 90, 90], [255, 0, 0]]
    shown = made(digital.Saturate, pixels, severity)
    for before, after in zip(pixels.reshape(-1, 3), shown.reshape(-1, 3), strict=True):
        hue, saturation, value = colorsys.rgb_to_hsv(*before / 255)
        wanted = colorsys.hsv_to_rgb(hue, min(1, saturation * scale + shift), value)
        np.testing.assert_allclose(after / 255, wanted, atol=0.003)


# Geometry.


def test_sizes() -> None:
    pixels = np.zeros((100, 200, 3), np.uint8)
    for severity in range(1, 6):
        share = 0.02 * severity
        crop = digital.CenterCrop.corrupted(pixels, share, np.random.default_rng(0))
        assert crop.shape == (int(100 * (1 - share)), int(200 * (1 - share)), 3)
        factor = 0.1 * severity
        seen = {made(digital.ResizeX, pixels, severity, seed).shape for seed in range(20)}
        assert seen == {(100, round(200 * (1 + sign * factor)), 3) for sign in (1, -1)}
        seen = {made(digital.ResizeY, pixels, severity, seed).shape for seed in range(20)}
        assert seen == {(round(100 * (1 + sign * factor)), 200, 3) for sign in (1, -1)}
        angle = np.radians(8 * severity)
        turned = made(digital.Rotate, pixels, severity).shape
        wanted = (
            100 * np.cos(angle) + 200 * np.sin(angle), 200 * np.cos(angle) + 100 * np.sin(angle)
        )  # fmt: skip
        np.testing.assert_allclose(turned[:2], wanted, atol=2)


def test_the_middle_stays_in_the_middle() -> None:
    pixels = scene(100, 200)
    np.testing.assert_array_equal(made(digital.CenterCrop, pixels, 5), pixels[5:95, 10:190])
    bright = np.full((90, 90, 3), 200, np.uint8)
    turned = made(digital.Rotate, bright, 5)
    assert turned[0, 0].max() == 0, "corners are black"
    assert turned[len(turned) // 2, len(turned) // 2].min() == 200
