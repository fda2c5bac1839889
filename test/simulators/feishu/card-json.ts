// The pieces that a card is read into.

export type CardJson = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is CardJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type CardButton = {
  readonly label: string
  /** What comes back when it is pressed; undefined for a button that only leads somewhere. */
  readonly value: unknown
  readonly url: string | undefined
  readonly name: string | undefined
  readonly isDisabled: boolean
}
