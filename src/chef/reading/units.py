"""Units of measurement and currencies: their spellings, and how many of one are another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chef.reading.characters import AFTER
from chef.reading.patterns import words

#: A dimension to a block; a line gives the size of a unit and its spellings, which commas separate.
_TABLE = """
length
1e-9 nm, nanometer, nanometre
1e-6 μm, um, micron, micrometer, micrometre
0.001 mm, millimeter, millimetre, 毫米
0.01 cm, centimeter, centimetre, 厘米, センチ, 센티미터
0.1 dm, decimeter, decimetre
1 m, meter, metre, 米, メートル, 미터
1000 km, kilometer, kilometre, kms, 公里, 千米, キロメートル, 킬로미터
0.0254 in, inch, inche, in.
0.3048 ft, foot, feet, ft.
0.9144 yd, yard
1609.344 mi, mile

area
0.0001 cm2, cm², cm^2, sq cm, square centimeter, square centimetre
1 m2, m², m^2, sq m, sqm, square meter, square metre, 平方米
1000000 km2, km², km^2, sq km, square kilometer, square kilometre
0.09290304 sq ft, sqft, ft2, ft², square foot, square feet
2589988.110336 square mile, sq mi
10000 ha, hectare
4046.8564224 acre

mass
1e-6 mg, milligram
0.001 g, gram, gramme, 克
1 kg, kilo, kilogram, kilogramme, kgs, 公斤, 千克
1000 t, ton, tonne, 吨
0.45359237 lb, lbs, pound
0.028349523125 oz, ounce

time
0.001 ms, millisecond
1 s, sec, second, 秒, 초
60 min, minute, 分钟, 分鐘
3600 h, hr, hour, 小时, 小時, 時間, 시간
86400 day, 天, 일
604800 week, 周

months
1 month, 个月
12 year, yr, years old, year old, years of age, 年, 岁, 歳, 살

volume
0.001 ml, milliliter, millilitre, mL, cc, 毫升
0.01 cl, centiliter, centilitre
1 l, L, liter, litre, 升
3.785411784 gal, gallon

speed
1 km/h, kmh, kph, kilometers per hour, kilometres per hour
1.609344 mph, mi/h, miles per hour
3.6 m/s, meters per second, metres per second

acceleration
1 m/s², m/s^2, m/s2, meters per second squared, metres per second squared

density
1 g/cm³, g/cm^3, g/cm3, g/ml, g/mL
0.001 kg/m³, kg/m^3, kg/m3

temperature
1 °C, degrees Celsius, degree Celsius, degrees C, ° Celsius, celsius, ℃, 摄氏度, deg C

fahrenheit
1 °F, degrees Fahrenheit, degree Fahrenheit, degrees F, ° Fahrenheit, fahrenheit, ℉, deg F

kelvin
1 K, kelvin

angle
1 °, degree, deg, 度

percent
1 %, percent, per cent, pct, percentage, percentage point, パーセント, 퍼센트, Prozent, pour cent

data
1 KB, kilobyte
1000 MB, megabyte
1000000 GB, gigabyte
1000000000 TB, terabyte

voltage
0.001 mV, millivolt
1 V, volt
1000 kV, kilovolt

current
0.001 mA, milliamp, milliampere
1 A, amp, ampere

power
0.001 mW, milliwatt
1 W, watt
1000 kW, kilowatt
1000000 MW, megawatt

resistance
1 Ω, ohm
1000 kΩ, kohm, kilohm

energy
1 J, joule
1000 kJ, kilojoule

kilowatt hours
1 kWh, kilowatt hour, kilowatt-hour

food energy
1 kcal, calorie, cal, Cal

force
1 N, newton
1000 kN, kilonewton

frequency
1 Hz, hertz
1000 kHz, kilohertz
1000000 MHz, megahertz
1000000000 GHz, gigahertz

pressure
1 Pa, pascal
1000 kPa, kilopascal
1000000 MPa, megapascal

dollars
0.01 ¢, cent
1 $, dollar, USD, US$, US dollar, buck, 美元, ドル, 달러

euros
1 €, euro, EUR, 欧元

pounds
1 £, pound, GBP, pound sterling, 英镑
0.01 pence, penny

yen
1 JPY, yen, 円, 日元, ¥

yuan
1 CNY, RMB, yuan, ¥, 元, 块, 块钱, 人民币

rupees
1 ₹, rupee, INR, Rs, Rs.

won
1 ₩, won, KRW, 원
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, and its size among the units that measure the same."""

    dimension: str
    size: float


#: The dimensions that are money; people often leave their units out.
CURRENCIES = words("dollars euros pounds yen yuan rupees won")

#: What a spelling may mean: a pound is a mass or money.
Units = frozenset[Unit]


def _units() -> dict[str, Units]:
    found: dict[str, set[Unit]] = {}
    for block in _TABLE.strip().split("\n\n"):
        dimension, *rows = block.split("\n")
        for row in rows:
            size, _, spellings = row.partition(" ")
            for name in spellings.split(", "):
                found.setdefault(name, set()).add(Unit(dimension, float(size)))
    return {name: frozenset(units) for name, units in found.items()}


_UNITS = _units()
#: Symbols that are read in any case; the case of others tells units apart: mW and MW.
_PLAIN = words("cm mm km kg ft lb oz usd eur gbp rs hr yr v")
#: Long names in any case and number.
_NAMES = {
    form: units
    for name, units in _UNITS.items()
    if (len(name) > 2 and not name[1:].istitle()) or name.lower() in _PLAIN
    for form in (name.lower(), f"{name.lower()}s")
}
#: Spellings, the longest first, so that "m/s" is not "m".
_PATTERN = "|".join(
    re.escape(name).replace(r"\ ", r"[\s-]+")
    for name in sorted({*_UNITS, *_NAMES}, key=len, reverse=True)
)
_AFTER = re.compile(rf"[\s-]?\s?(?P<unit>{_PATTERN}){AFTER}(?<!\bin(?=\s+\w))", re.IGNORECASE)
_BEFORE = re.compile(r"(?P<unit>US\$|[$€£₹₩¥]|\b(?:USD|EUR|GBP|CNY|RMB|JPY|INR|KRW|Rs\.?))\s?\Z")


def units_named(text: str) -> Units:
    """What a text that names a unit, and nothing else, may mean; empty for any other text.

    >>> units_named("Kilometers") == units_named("km"), units_named("mW") == units_named("MW")
    (True, False)
    """
    name = " ".join(text.replace("-", " ").split())
    return _UNITS.get(name) or _NAMES.get(name.lower()) or frozenset()


def units_after(text: str, place: int) -> tuple[Units, int]:
    """The unit right after a number that ends at ``place``, and where it ends itself.

    >>> units_after("5 cm long", 1)
    (frozenset({Unit(dimension='length', size=0.01)}), 4)
    """
    match = _AFTER.match(text, place)
    units = units_named(match["unit"]) if match else frozenset()
    return units, match.end() if match and units else place


def units_before(text: str, place: int) -> tuple[Units, int]:
    """The currency right before a number that starts at ``place``, and where it starts itself."""
    match = _BEFORE.search(text, max(0, place - 5), place)
    units = units_named(match["unit"].removesuffix(".")) if match else frozenset()
    return units, match.start() if match and units else place


def units_in(question: str) -> Units:
    """The units that a question names: "how many centimeters".

    >>> units_in("What percentage of people agree?")
    frozenset({Unit(dimension='percent', size=1.0)})
    """
    found = re.findall(r"[^\W\d_]+|%", question.lower())
    named = [units_named(word) for word in found if len(word) > 3 or word in _PLAIN or word == "%"]
    return frozenset().union(*named)
