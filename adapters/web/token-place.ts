// Where the token lies, as whoever is to log in may be told: from the folder of the start where it lies below that, as by default. Behind a
// public address strangers read it too, and learn nothing of the machine's folders.
import path from 'node:path'

export function toTokenPlace(tokenFile: string, folder: string, publicUrl: string | undefined): string {
  const relative = path.relative(folder, tokenFile)
  const isBelow = relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative)
  if (isBelow) return relative
  return publicUrl === undefined ? tokenFile : path.join('$FLOTILLA_DATA', path.basename(tokenFile))
}
