"""Draws tiles.png: eight tiles of 16 by 16 pixels in a row."""

import random
import struct
import zlib

SIZE, COUNT = 16, 8
FLOOR, WALL, LINE, LIGHT = (52, 56, 68), (112, 104, 120), (74, 68, 82), (150, 142, 156)
PIT, EDGE, WOOD, HOOP = (14, 12, 22), (36, 32, 48), (146, 98, 52), (92, 96, 108)
random.seed(4)
pixels = [[(0, 0, 0, 0)] * SIZE * COUNT for _ in range(SIZE)]


def draw(tile, color_at):
    for y in range(SIZE):
        for x in range(SIZE):
            color = color_at(x, y)
            if color:
                shade = random.randint(-4, 4)
                pixels[y][tile * SIZE + x] = (*(min(255, max(0, c + shade)) for c in color), 255)


def floor(x, y):
    return (46, 50, 61) if x in (0, 15) or y in (0, 15) else FLOOR


def brick(x, y):
    row = y // 4
    return LINE if y % 4 == 3 or (x + row % 2 * 4) % 8 == 7 else LIGHT if y % 4 == 0 else WALL


def pillar(x, y):
    distance = (x - 7.5) ** 2 + (y - 7.5) ** 2
    return None if distance > 60 else LINE if distance > 44 else LIGHT if x + y < 14 else WALL


def barrel(x, y):
    distance = (x - 7.5) ** 2 + (y - 7.5) ** 2
    return None if distance > 36 else HOOP if 18 < distance < 28 else WOOD


draw(0, floor)
draw(1, brick)
draw(2, lambda x, y: brick(x, y) if x + y >= 15 else None)
draw(3, pillar)
draw(4, lambda x, y: EDGE if y < 3 or x in (0, 15) else PIT)
draw(5, lambda x, y: brick(x, y) if y >= 8 else None)
draw(6, barrel)
draw(7, lambda x, y: (90, 170, 110) if (x // 4 + y // 4) % 2 else (120, 200, 140))

rows = b"".join(b"\0" + bytes(sum(row, ())) for row in pixels)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


header = struct.pack(">IIBBBBB", SIZE * COUNT, SIZE, 8, 6, 0, 0, 0)
with open("tiles.png", "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
    file.write(chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
