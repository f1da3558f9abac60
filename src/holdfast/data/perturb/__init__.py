"""Small changes of inputs under which an explanation should stay what it is: one file each."""
