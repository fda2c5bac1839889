// The chat page's files, read once at start and served as they are: there is no build step.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BotError } from '#shared/errors.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type PageFile = { readonly body: Buffer<ArrayBuffer>; readonly type: string; readonly etag: string }

export type PageFiles = {
  /** The file as a response, 304 when the caller has it; undefined for anything else than a file of the page. */
  find(name: string, ifNoneMatch: string | undefined): Response | undefined
  /** A file that must exist. */
  text(name: string): string
}

/** Files of libraries, under the name by which the page loads them. */
const libraries = { 'temml.js': import.meta.resolve('temml/dist/temml.mjs') }

export function loadPageFiles(): PageFiles {
  const folder = new URL('./page/', import.meta.url)
  const files = new Map<string, PageFile>()
  const own = readdirSync(folder).map((name) => [name, new URL(name, folder)] as const)
  const others = Object.entries(libraries).map(([name, url]) => [name, new URL(url)] as const)
  for (const [name, url] of [...own, ...others]) {
    const type = types[path.extname(name)]
    if (type === undefined) continue
    const body = readFileSync(url)
    files.set(name, { body, type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` })
  }
  return {
    find(name, ifNoneMatch) {
      const file = files.get(name)
      if (!file) return undefined
      const headers = { 'Content-Type': file.type, ETag: file.etag, 'Cache-Control': 'no-cache' }
      if (ifNoneMatch === file.etag) return new Response(null, { status: 304, headers })
      return new Response(file.body, { headers })
    },
    text(name) {
      const file = files.get(name)
      if (!file) throw new BotError('internal', `The page has no file ${name}.`)
      return file.body.toString('utf8')
    },
  }
}
