// A sender as its own process knows it.
import type { Sure } from '#queues/fleet/certainty.ts'
import type { Sender } from '#queues/kernel/kernel.ts'

/** `certain`: holds while nobody can have taken the lease since this sender began. Who is not certain any more begins anew under another name. */
export type OwnSender = Sender & { readonly certain: Sure }
