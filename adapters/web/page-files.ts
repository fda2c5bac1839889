// The files of the chat page and of features' pages, read once at start and served as they are: there is no build step. The chat page is told in its
// head which pages there are; where there are none it is the file itself.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BotError } from '#shared/errors.ts'
import type { PageFace } from '#shared/feature/page.ts'

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
const nameForm = /^[a-z][a-z0-9-]{0,29}$/

/** A feature's file is `<page>/<file>`. Throws BotError `config` when a page's name or folder is none. */
export function loadPageFiles(pages: readonly PageFace[] = []): PageFiles {
  const files = new Map<string, PageFile>()
  addFolder(files, new URL('./page/', import.meta.url))
  for (const [name, url] of Object.entries(libraries)) addFile(files, name, readFileSync(new URL(url)))
  for (const page of pages) addPageFolder(files, page)
  if (pages.length > 0)
    addFile(files, 'index.html', Buffer.from(tellOfPages(toText(files, 'index.html'), files, pages)))
  return {
    find(name, ifNoneMatch) {
      const file = files.get(name)
      if (!file) return undefined
      const headers = { 'Content-Type': file.type, ETag: file.etag, 'Cache-Control': 'no-cache' }
      if (ifNoneMatch === file.etag) return new Response(null, { status: 304, headers })
      return new Response(file.body, { headers })
    },
    text: (name) => toText(files, name),
  }
}

function addFile(files: Map<string, PageFile>, name: string, body: Buffer<ArrayBuffer>): void {
  const type = types[path.extname(name)]
  if (type === undefined) return
  files.set(name, { body, type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` })
}

function addFolder(files: Map<string, PageFile>, folder: URL, prefix = ''): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) addFile(files, prefix + entry.name, readFileSync(new URL(entry.name, folder)))
}

/** A page of a feature is drawn by its script: a whole document would escape the chat page's. */
function addPageFolder(files: Map<string, PageFile>, { name, files: folder }: PageFace): void {
  if (!nameForm.test(name))
    throw new BotError('config', `A page cannot be named "${name}": a name has 1 to 30 characters of a-z 0-9 -.`)
  const own = new Map<string, PageFile>()
  try {
    addFolder(own, folder, `${name}/`)
  } catch (cause) {
    throw new BotError('config', `The files of the page "${name}" cannot be read from ${folder.href}.`, { cause })
  }
  if (!own.has(`${name}/page.js`)) throw new BotError('config', `The page "${name}" has no page.js in ${folder.href}.`)
  for (const [at, file] of own) if (!at.endsWith('.html')) files.set(at, file)
}

function toText(files: ReadonlyMap<string, PageFile>, name: string): string {
  const file = files.get(name)
  if (!file) throw new BotError('internal', `The page has no file ${name}.`)
  return file.body.toString('utf8')
}

/** The document with what it needs to list the pages. */
function tellOfPages(html: string, files: ReadonlyMap<string, PageFile>, pages: readonly PageFace[]): string {
  const told = pages.map(({ name, title }) => ({ name, title, styled: files.has(`${name}/page.css`) }))
  const content = JSON.stringify(told).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return html.replace('</head>', () => `<meta name="pages" content="${content}" />\n  </head>`)
}
