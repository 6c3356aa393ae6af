"""What a workspace keeps in its store: damaged, or taken away."""


def damage(place, name, data):
    """Let a document hold these bytes, whatever they are."""
    insert = "INSERT OR REPLACE INTO document VALUES (?, CAST(? AS TEXT))"
    place.ws.store.write(lambda database: database.execute(insert, (name, data)))


def raw(place, name):
    """Return the bytes of a document."""
    query = "SELECT CAST(data AS BLOB) FROM document WHERE name = ?"
    return place.ws.store.write(lambda database: database.execute(query, (name,)).fetchone()[0])


def forget_note(place, name):
    """Take away the note of that name."""
    (place.ws.trusted.folder / name).unlink(missing_ok=True)


def holds(place, text):
    """Tell whether any file of the state has this text."""
    files = (one for one in place.ws.store.folder.rglob("*") if one.is_file())
    return any(text.encode() in one.read_bytes() for one in files)
