-- The show that a key is limited to: the name of its folder in shows/.
ALTER TABLE keys ADD COLUMN show TEXT;
