/** Whether two values of one slot say the same: "Lyon" and "Lyon, since May". */
export const agree = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((word) => other.includes(word)) || other.every((word) => one.includes(word))
