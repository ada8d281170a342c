package enum REST {}
