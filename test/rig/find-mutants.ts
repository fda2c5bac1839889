// Small changes of a program that its tests should notice: conditions turned round, bounds shifted, returns and calls left out.
import path from 'node:path'
import { SyntaxKind, type Expression, type Node, type SourceFile } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

/** At character `at` of the file, `was` becomes `now`. */
export type Mutant = {
  readonly file: string
  readonly line: number
  readonly at: number
  readonly was: string
  readonly now: string
}

const swapped: ReadonlyMap<SyntaxKind, string> = new Map([
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
])
/** The changes of each file of a folder, as far as the type checker knows its files. */
export function findMutants(root: string, folder: string): ReadonlyMap<string, readonly Mutant[]> {
  const api = new API({ cwd: root })
  const [project] = api.updateSnapshot({ openProjects: [path.join(root, 'tsconfig.json')] }).getProjects()
  const byFile = new Map<string, readonly Mutant[]>()
  for (const name of project?.rootFiles ?? []) {
    const file = path.relative(root, name)
    const source = file.startsWith(folder) ? project?.program.getSourceFile(name) : undefined
    if (source) byFile.set(file, mutantsOf(source, file))
  }
  api.close()
  return byFile
}

function mutantsOf(source: SourceFile, file: string): Mutant[] {
  const found: Mutant[] = []
  const visit = (node: Node): void => {
    if (is.isTypeNode(node) || is.isImportDeclaration(node)) return
    for (const [part, now] of changesOf(node)) {
      const at = part.getStart(source)
      const line = source.text.slice(0, at).split('\n').length
      found.push({ file, line, at, was: source.text.slice(at, part.end), now })
    }
    node.forEachChild(visit)
  }
  source.forEachChild(visit)
  return found
}

const isComparison = (node: Node): boolean => is.isBinaryExpression(node) && swapped.has(node.operatorToken.kind)

/** What may be put in place of which part of this node alone. */
function* changesOf(node: Node): Iterable<readonly [Node, string]> {
  const condition = conditionOf(node)
  if (condition && !isComparison(condition)) yield [condition, `!(${condition.getText()})`]
  if (is.isBinaryExpression(node)) {
    const { operatorToken: sign, right } = node
    const other = swapped.get(sign.kind)
    if (other) yield [sign, other]
    if (is.isNumericLiteral(right) && sign.kind === SyntaxKind.PlusToken) yield [sign, '-']
    if (is.isNumericLiteral(right) && sign.kind === SyntaxKind.MinusToken) yield [sign, '+']
  }
  // What the types rule out is never returned.
  if (is.isReturnStatement(node) && !(node.expression && is.isSatisfiesExpression(node.expression)))
    yield [node, node.expression && node.expression.getText() !== 'undefined' ? 'return undefined' : ';']
  if (
    is.isArrowFunction(node) &&
    !is.isBlock(node.body) &&
    !is.isVoidExpression(node.body) &&
    node.body.getText() !== 'undefined'
  )
    yield [node.body, 'undefined']
  if (is.isExpressionStatement(node) && isCall(node.expression)) yield [node, ';']
  if (is.isNumericLiteral(node)) yield [node, String(Number(node.getText().replaceAll('_', '')) + 1)]
  if (node.kind === SyntaxKind.TrueKeyword) yield [node, 'false']
  if (node.kind === SyntaxKind.FalseKeyword) yield [node, 'true']
}

function conditionOf(node: Node): Expression | undefined {
  if (is.isConditionalExpression(node) || is.isForStatement(node)) return node.condition
  return is.isIfStatement(node) || is.isWhileStatement(node) || is.isDoStatement(node) ? node.expression : undefined
}

function isCall(node: Expression): boolean {
  return is.isAwaitExpression(node) ? isCall(node.expression) : is.isCallExpression(node)
}
