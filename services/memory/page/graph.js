// The graph: entities as circles, relations as lines between them. A press on a circle tells what is known of it, and each of that can be confirmed or forgotten.
import { button, make } from './make.js'
import { isGraph } from './shape.js'
import { words } from './words.js'

/** @import { DrawnNode, Graph, Said } from './shape.js' */
/** @import { Language } from './words.js' */
/**
 * @typedef {{
 *   language: Language,
 *   get(path: string): Promise<unknown>,
 *   post(path: string, body?: Record<string, unknown>): Promise<unknown>,
 *   tell(text: string): void,
 * }} GraphTools
 */

const space = 'http://www.w3.org/2000/svg'
const margin = 70
const radius = 13
const mostSigns = 18
const leastWidth = 480

/** Undefined where nothing was found yet. @param {GraphTools} tools */
export async function drawGraph(tools) {
  const said = await tools.get('graph')
  if (!isGraph(said)) throw new Error('The answer has another shape.')
  if (said.nodes.length === 0) return undefined
  const text = words[tools.language]
  const detail = make('div', { class: 'detail' }, make('p', { class: 'soft' }, text.pressNode))
  const picture = drawPicture(said, tools.language, (node) => show(node))
  const show = (/** @type {DrawnNode} */ node) => {
    for (const one of picture.querySelectorAll('g')) one.classList.toggle('on', one.dataset['key'] === node.key)
    detail.replaceChildren(...drawDetail(node, said, tools))
    // Below a picture that fills a phone.
    detail.scrollIntoView({ block: 'nearest' })
  }
  const parts = said.isPart ? [make('p', { class: 'soft' }, text.partGraph)] : []
  return make('div', { class: 'graph' }, make('p', { class: 'soft' }, text.guessed), picture, ...parts, detail)
}

/** @param {string} tag @param {Record<string, string>} attributes @param {...(Node | string)} children */
function svg(tag, attributes, ...children) {
  const made = document.createElementNS(space, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** @param {Graph} graph @param {Language} language @param {(node: DrawnNode) => void} press */
function drawPicture({ nodes, edges }, language, press) {
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)]
  const [left, right] = [Math.min(...xs) - margin, Math.max(...xs) + margin]
  const [top, bottom] = [Math.min(...ys) - margin, Math.max(...ys) + margin]
  // A few circles are not drawn huge.
  const aside = Math.max(0, Math.min(leastWidth, innerWidth) - (right - left)) / 2
  const viewBox = `${left - aside} ${top} ${right - left + 2 * aside} ${bottom - top}`
  const picture = svg('svg', { viewBox, role: 'group' })
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  for (const { from, to, says, isConfirmed } of edges) {
    const [one, other] = [byKey.get(from), byKey.get(to)]
    if (!one || !other) continue
    const line = svg('line', { x1: `${one.x}`, y1: `${one.y}`, x2: `${other.x}`, y2: `${other.y}` })
    line.classList.toggle('sure', isConfirmed)
    line.append(svg('title', {}, `${one.name}: ${says}`))
    picture.append(line)
  }
  for (const node of nodes) picture.append(drawNode(node, language, press))
  return picture
}

/** @param {DrawnNode} node @param {Language} language @param {(node: DrawnNode) => void} press */
function drawNode(node, language, press) {
  const name = node.isSelf ? words[language].you : node.name
  const shown = [...name].length > mostSigns ? `${[...name].slice(0, mostSigns - 1).join('')}…` : name
  const place = svg(
    'g',
    {
      transform: `translate(${node.x} ${node.y})`,
      class: node.type,
      tabindex: '0',
      role: 'button',
      'aria-label': name,
    },
    svg('circle', { r: `${radius}` }),
    svg('text', { y: `${radius + 14}` }, shown),
  )
  if (place instanceof SVGElement) place.dataset['key'] = node.key
  place.addEventListener('click', () => press(node))
  place.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    press(node)
  })
  return place
}

/** @param {DrawnNode} node @param {Graph} graph @param {GraphTools} tools */
function drawDetail(node, { nodes, edges }, tools) {
  const text = words[tools.language]
  const names = new Map(nodes.map(({ key, name, isSelf }) => [key, isSelf ? text.you : name]))
  const name = names.get(node.key) ?? node.name
  const related = edges.filter(({ from, to }) => from === node.key || to === node.key)
  const lines = [
    ...node.facts.map((fact) => drawSaid(fact, `${name}: ${fact.says}`, tools)),
    ...related.map((edge) => drawSaid(edge, `${names.get(edge.from) ?? ''}: ${edge.says}`, tools)),
  ]
  return [make('h3', {}, name), make('ul', {}, ...lines)]
}

/** @param {Said} said @param {string} line @param {GraphTools} tools */
function drawSaid(said, line, tools) {
  const text = words[tools.language]
  const place = make('li', { dir: 'auto' }, line)
  const act = async (/** @type {'confirm' | 'forget'} */ what) => {
    try {
      await tools.post(`graph/${what}`, { id: said.id })
      if (what === 'forget') place.replaceChildren(make('span', { class: 'soft' }, text.forgotten))
      else place.replaceChildren(line)
      tools.tell('')
    } catch (failure) {
      tools.tell(failure instanceof Error ? failure.message : String(failure))
    }
  }
  if (!said.isConfirmed) place.append(button(text.confirm, () => act('confirm')))
  place.append(button(text.forget, () => act('forget')))
  return place
}
