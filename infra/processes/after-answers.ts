// The capabilities that work on what is said already: what failed goes on, an answer is made anew, searched for, or shown again.
import { recovery } from '#services/recovery/recovery.ts'
import { redo } from '#services/redo/redo.ts'
import { sessionSearch } from '#services/session-search/session-search.ts'
import { showAgain } from '#services/show-again/show-again.ts'
import type { Feature } from '#shared/feature/feature.ts'

export const afterAnswers: readonly Feature[] = [recovery, redo, sessionSearch, showAgain]
