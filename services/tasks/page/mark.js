// Tells that words of others are in a text.
import { isOthers, make } from './make.js'
import { words } from './words.js'

/** @param {unknown} kept @param {'zh' | 'en'} language */
export const mark = (kept, language) =>
  isOthers(kept) ? [make('span', { class: 'others' }, words[language].others)] : []
