// Gives the nodes of a graph their places on a plane, so that those with much to do with each other stand together.
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force'
import type { PlaceNodes } from '#services/memory/page-graph.ts'

type Placed = SimulationNodeDatum & { readonly id: string }

const ticks = 150
const [linkLength, push, nodeRadius, pull] = [90, -220, 34, 0.06]

/** The same graph is drawn the same way each time. It takes time with the number of nodes: some tens of ms for a hundred. */
export const placeNodes: PlaceNodes = (keys, edges) => {
  const nodes = keys.map((id): Placed => ({ id }))
  const links = edges.map(({ from, to }) => ({ source: from, target: to }))
  forceSimulation(nodes)
    .force(
      'link',
      forceLink<Placed, (typeof links)[number]>(links)
        .id(({ id }) => id)
        .distance(linkLength),
    )
    .force('push', forceManyBody().strength(push))
    .force('collide', forceCollide(nodeRadius))
    .force('x', forceX(0).strength(pull))
    .force('y', forceY(0).strength(pull))
    .stop()
    .tick(ticks)
  return nodes.map(({ x = 0, y = 0 }) => ({ x: Math.round(x), y: Math.round(y) }))
}
