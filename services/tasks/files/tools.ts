// The workspace as tools of the model. Each file is read as whose words it is: the bot's own, or others' where it was written after others' words had
// been read. The list of files knows the same of itself, so one tainted file does not taint those beside it.
import { z } from 'zod'
import { toPlainLine } from '#shared/feature/inert.ts'
import { keepWhole, peek, peekHash, retell, rework, type Kept } from '#shared/feature/kept.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
import { editText, type Edit } from './edit-file.ts'
import { listPage } from './list-page.ts'
import { readPage } from './read-page.ts'
import {
  contentOf,
  emptyTree,
  findFile,
  mostFileBytes,
  mostFiles,
  readTree,
  toContent,
  toTreeText,
  treeName,
  type Content,
  type Tree,
} from './tree.ts'
import { findPath, putFile, type Changed } from './write-file.ts'

/** `tree` gives the name of the tree that the slice holds, `''` where there is none yet; `toChange` makes the change by which it holds this one. */
export type FileTools<S, C> = { tree(slice: S): string; toChange(treeName: string): C }

const path = z.string()
const from1 = z.number().int().min(1).max(1_000_000)
const listed = z.object({ offset: from1.optional() })
const read = z.object({ path, offset: from1.optional(), limit: from1.optional(), column: from1.optional() })
const written = z.object({ path, text: z.string() })
const edited = z.object({ path, old: z.string(), new: z.string(), all: z.boolean().optional() })
const named = z.object({ path })

/** What the slice names, read; undefined where there are no files yet, or where the list of them is kept no more. */
type Workspace = { readonly tree: Kept<Tree> | undefined; readonly isLost: boolean }

const toBrief = (input: unknown): string | undefined => {
  const given = named.safeParse(input).data
  return given && toPlainLine(given.path, 100)
}
const shownPath = { type: 'string', description: 'such as notes/plan.md' }
const shownPlace = (description: string): object => ({ type: 'integer', minimum: 1, description })

/** For a feature whose slice holds the name of the tree. Calls that write are to be carried out one after the other, as the executor does. */
export const createFileTools = <S, C>(of: FileTools<S, C>): readonly Tool<S, C>[] => [...readers(of), ...writers(of)]

function readers<S, C>(of: FileTools<S, C>): readonly Tool<S, C>[] {
  return [
    {
      name: 'file_list',
      summary: { zh: '列出任务工作区里的文件。', en: 'Lists the files in the workspace of the task.' },
      description: 'Lists the files in the workspace of this task, each with its length in bytes.',
      parameters: { type: 'object', properties: { offset: shownPlace('the first file, from 1') } },
      effect: 'read',
      onCrash: 'rerun',
      run: async (input, context) => list(await open(of, context), listed.parse(input).offset, context),
    },
    {
      name: 'file_read',
      summary: { zh: '读任务工作区里的一个文件。', en: 'Reads a file in the workspace of the task.' },
      description:
        'Reads a file in the workspace of this task, page by page. Each line has its number and a tab before it, which are not in the file.',
      parameters: {
        type: 'object',
        properties: {
          path: shownPath,
          offset: shownPlace('the first line, from 1'),
          limit: shownPlace('how many lines'),
          column: shownPlace('where to go on in a very long line'),
        },
        required: ['path'],
      },
      effect: 'read',
      onCrash: 'rerun',
      brief: toBrief,
      run: async (input, context) => await readFile(await open(of, context), read.parse(input), context),
    },
  ]
}

function writers<S, C>(of: FileTools<S, C>): readonly Tool<S, C>[] {
  return [
    {
      name: 'file_write',
      summary: { zh: '在任务工作区里写一个文件。', en: 'Writes a file in the workspace of the task.' },
      description: `Writes a whole text file in the workspace of this task, in the place of one of this path. A file may have ${mostFileBytes} bytes, and there may be ${mostFiles} files.`,
      parameters: {
        type: 'object',
        properties: { path: shownPath, text: { type: 'string' } },
        required: ['path', 'text'],
      },
      effect: 'write-local',
      onCrash: 'rerun',
      brief: toBrief,
      run: async (input, context) => write(of, await open(of, context), written.parse(input), context),
    },
    {
      name: 'file_edit',
      summary: { zh: '修改任务工作区里的一个文件。', en: 'Edits a file in the workspace of the task.' },
      description:
        'Replaces words of a file in the workspace of this task. "old" must be in it exactly once, unless "all" is true.',
      parameters: {
        type: 'object',
        properties: {
          path: shownPath,
          old: { type: 'string', description: 'as it stands in the file, without the numbers of lines' },
          new: { type: 'string' },
          all: { type: 'boolean', description: 'replaces it wherever it is' },
        },
        required: ['path', 'old', 'new'],
      },
      effect: 'write-local',
      onCrash: 'rerun',
      brief: toBrief,
      run: async (input, context) => await edit(of, await open(of, context), edited.parse(input), context),
    },
  ]
}

async function open<S, C>({ tree: nameOf }: FileTools<S, C>, context: ToolContext<S>): Promise<Workspace> {
  const name = nameOf(context.slice)
  const found = name === '' ? undefined : await context.findArtifact(name)
  return { tree: found && rework(found, readTree), isLost: name !== '' && found === undefined }
}

const own = (text: string): { readonly text: string; readonly source: 'own' } => ({ text, source: 'own' })
const lost =
  'The list of files is kept no more: a message that it came from was forgotten, or it is too old. The workspace is empty now.'

function list({ tree, isLost }: Workspace, offset: number | undefined, context: ToolContext): ToolResult<never> {
  if (isLost) return own(lost)
  if (!tree) return own(listPage(emptyTree, offset))
  return { text: retell([tree], context, ([files = emptyTree]) => listPage(files, offset)) }
}

async function readFile(
  { tree, isLost }: Workspace,
  { path: wanted, ...page }: z.infer<typeof read>,
  context: ToolContext,
): Promise<ToolResult<never>> {
  const found = await findText({ tree, isLost }, wanted, context)
  if (found.kind === 'none') return found.result
  return { text: retell([found.text], context, ([text = '']) => readPage(wanted, text, page)) }
}

type Found =
  | { readonly kind: 'text'; readonly text: Kept; readonly tree: Kept<Tree> }
  | { readonly kind: 'none'; readonly result: ToolResult<never> }

/** What is in a file that is there. Its text alone says whose it is: the list only tells where it is. */
async function findText({ tree, isLost }: Workspace, wanted: string, context: ToolContext): Promise<Found> {
  const none = (result: ToolResult<never>): Found => ({ kind: 'none', result })
  if (!tree) return none(own(isLost ? lost : toSentence(findPath(emptyTree, wanted))))
  const at = rework(tree, (files) => findPath(files, wanted))
  const isThere = peek([at], ([found]) => typeof found === 'string')
  if (!isThere) return none({ text: retell([at], context, ([found = '']) => toSentence(found)) })
  const name = peekHash(tree, (files) => {
    const found = findPath(files, wanted)
    const file = typeof found === 'string' ? findFile(files, found) : undefined
    return file && contentOf(file)
  })
  const text = name === undefined ? undefined : await context.findArtifact(name)
  if (!text)
    return none(
      own(
        'The text of this file is kept no more: a message that it came from was forgotten, or it is too old. Write it anew.',
      ),
    )
  return { kind: 'text', text, tree }
}

const toSentence = (found: ReturnType<typeof findPath>): string => (typeof found === 'string' ? found : found.why)

const inPrivate = own('Nothing is written while this turn works on what a person answered in private. Tell the person.')

function write<S, C>(
  of: FileTools<S, C>,
  workspace: Workspace,
  { path: wanted, text }: z.infer<typeof written>,
  context: ToolContext<S>,
): ToolResult<C> {
  if (context.isPrivate) return inPrivate
  const content = toContent(text)
  const put = putInto(workspace, wanted, content, context)
  if (put.kind === 'none') return put.result
  const said = `The file is written: ${content.bytes} bytes.${workspace.isLost ? ` ${lost}` : ''}`
  const kept = { kind: 'artifact', name: content.name, text: content.text } as const
  return { ...own(said), effects: [kept, put.effect, { kind: 'change', change: of.toChange(put.effect.name) }] }
}

async function edit<S, C>(
  of: FileTools<S, C>,
  workspace: Workspace,
  asked: Edit,
  context: ToolContext<S>,
): Promise<ToolResult<C>> {
  if (context.isPrivate) return inPrivate
  const found = await findText(workspace, asked.path, context)
  if (found.kind === 'none') return found.result
  const done = rework(found.text, (text) => editText(text, asked))
  const name = peekHash(done, (one) => (one.kind === 'done' ? one.content.name : undefined))
  const { bytes, places } = peek([done], ([one]) =>
    one?.kind === 'done' ? { bytes: one.content.bytes, places: one.places } : { bytes: 0, places: 0 },
  )
  if (name === undefined) return { text: retell([done], context, ([one]) => (one?.kind === 'refused' ? one.why : '')) }
  const put = putInto(workspace, asked.path, { name, bytes }, context)
  if (put.kind === 'none') return put.result
  const kept = keepWhole([done], context, ([one]) => ({ name, text: one?.kind === 'done' ? one.content.text : '' }))
  const said = `The file is edited in ${places === 1 ? 'one place' : `${places} places`}: ${bytes} bytes now.`
  return { ...own(said), effects: [kept, put.effect, { kind: 'change', change: of.toChange(put.effect.name) }] }
}

type Put =
  | { readonly kind: 'put'; readonly effect: ReturnType<typeof keepWhole> }
  | { readonly kind: 'none'; readonly result: ToolResult<never> }

/** The list of files with this one in it, to be kept as much others' words as the one before. */
function putInto(
  { tree }: Workspace,
  wanted: string,
  content: Pick<Content, 'name' | 'bytes'>,
  context: ToolContext,
): Put {
  if (!tree) {
    const first = putFile(emptyTree, wanted, content)
    if (first.kind === 'refused') return { kind: 'none', result: own(first.why) }
    return { kind: 'put', effect: { kind: 'artifact', ...toKept(first) } }
  }
  const put = rework(tree, (files) => putFile(files, wanted, content))
  const isDone = peek([put], ([one]) => one?.kind === 'done')
  if (!isDone)
    return {
      kind: 'none',
      result: { text: retell([put], context, ([one]) => (one?.kind === 'refused' ? one.why : '')) },
    }
  return { kind: 'put', effect: keepWhole([put], context, ([one]) => toKept(one)) }
}

function toKept(changed: Changed | undefined): { readonly name: string; readonly text: string } {
  const tree = changed?.kind === 'done' ? changed.tree : emptyTree
  return { name: treeName(tree), text: toTreeText(tree) }
}
