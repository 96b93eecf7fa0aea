"""What an observer may know: the filter, views and events, worlds that cannot be told apart, tensors."""
