// Makes elements show what newly made ones show, changing only what differs: text that grows is added to, and what a reader has selected
// in it stays selected.

/** From the child `from` on, `parent` shall have these. @param {Element} parent @param {number} from @param {readonly Node[]} wanted */
export function patchChildren(parent, from, wanted) {
  wanted.forEach((node, i) => {
    const shown = parent.childNodes[from + i]
    if (shown) patch(shown, node)
    else parent.append(node)
  })
  while (parent.childNodes.length > from + wanted.length) parent.lastChild?.remove()
}

/** @param {ChildNode} shown @param {Node} wanted */
function patch(shown, wanted) {
  if (shown instanceof Text && wanted instanceof Text) {
    if (shown.data === wanted.data) return
    if (wanted.data.startsWith(shown.data)) shown.appendData(wanted.data.slice(shown.data.length))
    else shown.data = wanted.data
    return
  }
  if (!(shown instanceof Element && wanted instanceof Element && isAlike(shown, wanted))) {
    return shown.replaceWith(wanted)
  }
  // What a button says may have changed since it was made.
  if (!(shown instanceof HTMLButtonElement)) patchChildren(shown, 0, [...wanted.childNodes])
}

/** @param {Element} one @param {Element} other */
function isAlike(one, other) {
  if (one.tagName !== other.tagName || one.attributes.length !== other.attributes.length) return false
  return [...one.attributes].every(({ name, value }) => other.getAttribute(name) === value)
}
