// The text of `.env`, in whichever form an editor wrote it: Windows adds a byte order mark, or writes UTF-16. Run by itself it prints the text.
import { readFileSync } from 'node:fs'
import process from 'node:process'

/** @param {string} file */
export function readSettingsFile(file) {
  const bytes = readFileSync(file)
  const [first, second] = bytes
  if (first === 0xfe && second === 0xff)
    return bytes
      .subarray(2, bytes.length & ~1)
      .swap16()
      .toString('utf16le')
  if (first === 0xff && second === 0xfe) return bytes.subarray(2).toString('utf16le')
  if (second === 0) return bytes.toString('utf16le')
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

if (process.argv[1] === import.meta.filename) process.stdout.write(readSettingsFile('.env'))
