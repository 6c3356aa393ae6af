"""What the operator should hear of: told and delivered."""
