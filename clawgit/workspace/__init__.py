"""The managed folder: changes in, commits out."""
