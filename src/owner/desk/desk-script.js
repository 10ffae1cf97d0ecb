// Keeps drafts, takes dropped pictures, renews progress. Without it a Save button, a file field and a link do the same.
