// What a process may be in a fleet.
import { readerWorkers, type ReaderWorker } from '#shared/feature/projection.ts'
import type { Platform } from './channels.ts'

export type Role = 'router' | 'executor' | ReaderWorker | 'web' | Platform['name']

export const isReaderWorker = (role: Role): role is ReaderWorker => readerWorkers.some((worker) => worker === role)

/** Whether it works with the model. */
export const thinks = (role: Role): boolean => role === 'executor' || isReaderWorker(role)

/** Others take its work over within seconds; a channel has connections of people, and a bot may have one process alone. */
export const isWorker = (role: Role): boolean => role === 'router' || thinks(role)
