"""As much of the package procset as pybatsim's schedulers use, for machines where that is not installed."""


class ProcSet(set):
    """A set of numbers made of numbers and of pairs, first and last; written as 0-3 7."""

    def __init__(self, *parts):
        for part in parts:
            if isinstance(part, (tuple, list)):
                self.update(range(part[0], part[1] + 1))
            elif isinstance(part, ProcSet):
                self.update(set.__iter__(part))
            else:
                self.add(part)

    @classmethod
    def from_str(cls, text):
        return cls(*((int(p.split("-")[0]), int(p.split("-")[-1])) for p in text.split()))

    def __iter__(self):
        return iter(sorted(set.__iter__(self)))

    def intervals(self):
        found = []
        for n in self:
            if found and found[-1][1] == n - 1:
                found[-1] = (found[-1][0], n)
            else:
                found.append((n, n))
        return found

    def __str__(self):
        return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in self.intervals())


class ProcInt(tuple):
    def __new__(cls, first, last):
        return tuple.__new__(cls, (first, last))
