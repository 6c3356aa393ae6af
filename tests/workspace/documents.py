"""What a workspace keeps beside git: found, or taken away."""


def forget_note(place, name):
    """Take away the note of that name."""
    (place.ws.trusted.folder / name).unlink(missing_ok=True)


def holds(place, text):
    """Tell whether any file of the state has this text."""
    files = (one for one in place.ws.store.folder.rglob("*") if one.is_file())
    return any(text.encode() in one.read_bytes() for one in files)
