// Whose words a text is: what others wrote is material for the model, never an order.
import { z } from 'zod'

/** `own`: the bot itself. `person`: who talks to it, in their own words. `others`: anybody else, quoted, forwarded or read somewhere. */
export const source = z.enum(['own', 'person', 'others'])
export type Source = z.infer<typeof source>
