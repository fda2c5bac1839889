// The page of tasks.
export function open() {}
