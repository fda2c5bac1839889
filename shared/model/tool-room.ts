// How much of a model's window the tools take, as operators and people are told.
export type ToolRoom = {
  readonly windowTokens: number
  /** Of the instructions; all figures are upper bounds. */
  readonly systemTokens: number
  /** Of all that is sent with each prompt for tools. */
  readonly toolTokens: number
  /** How many tools stand in each prompt, but for those by which others are found. */
  readonly listed: number
  /** How many are found by `tool_search`. */
  readonly searched: number
  /** How many there are no ways to. */
  readonly left: number
}
