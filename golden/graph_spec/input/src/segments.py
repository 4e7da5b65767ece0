"""Segments of digits. See REQ-201 and docs/interfaces/IF-200_segmenter.md."""


class SegmentError(ValueError):
    """Something that is no digit."""


def split_segments(digits: str) -> list[str]:
    """Three digits each, from the right (IF-200)."""
    if digits and not digits.isdigit():
        raise SegmentError(digits)
    head = len(digits) % 3
    parts = [digits[:head]] if head else []
    return parts + [digits[at : at + 3] for at in range(head, len(digits), 3)]
