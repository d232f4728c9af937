"""The tables of other tools' faults in docs/ name tests that exist, and every row of the survey's parts.

    python3 tests/fault_tables_test.py
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NUMBERS = {  # what the survey's catalogue has, by part
    "A": [*range(1, 13), 14, 15, 16, *range(18, 23)],
    "C": [*range(40, 45), *range(46, 51), *range(52, 57)],
    "D": [*range(57, 69), 70],
    "H": [*range(99, 107), *range(108, 118)],
    "J": [*range(130, 134), *range(135, 140)],
}


def numbers_in(text):
    """(part, number) pairs of "A 1, 3 · C 54"."""
    found, part = set(), None
    for word in re.findall(r"[A-Z]\b|\d+", text):
        if word.isdigit():
            found.add((part, int(word)))
        else:
            part = word
    return found


def names_in(cell):
    """(file, beginning of a test's name) pairs of a cell; the beginning is "" where the whole file is meant."""
    file = ""
    for path, name in re.findall(r'`([\w/]+\.(?:cc|py|mjs))`|"([^"]+)"', cell):
        if path:
            file = path
            yield file, ""
        else:
            yield file, name.split(" …")[0]


def main():
    text = (ROOT / "docs/hosts.md").read_text()
    section = text.split("## Faults of others")[1].split("\n## ")[0]
    problems, covered = [], set()
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("| ") else []
        if len(cells) != 3 or cells[0] in ("fault", "---"):
            continue
        covered |= numbers_in(cells[1])
        for file, name in names_in(cells[2]):
            path = ROOT / "tests" / file
            if not path.exists():
                problems.append(f"no such file: tests/{file}")
            elif name.replace('"', '\\"') not in path.read_text():
                problems.append(f"no such test in {file}: {name}")
    for sentence in re.findall(r"((?:[A-Z] \d+[\d, ]*)):", section.split("Cannot apply.")[1]):
        covered |= numbers_in(sentence)
    wanted = {(part, number) for part, numbers in NUMBERS.items() for number in numbers}
    problems += [f"row {part} {number} is not in the table" for part, number in sorted(wanted - covered)]
    problems += [f"row {part} {number} is none of the survey's" for part, number in sorted(covered - wanted)]
    for problem in problems:
        print(problem)
    print(f"{len(covered)} rows, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
