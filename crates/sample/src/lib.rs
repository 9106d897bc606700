//! Seeded sample records with their own schemas.
