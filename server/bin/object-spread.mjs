import { parseAst } from 'rolldown/parseAst'

/**
 * Puts `...null` in front of each object that begins with a spread and has further properties; its value stays the same. In Node 20, V8
 * otherwise gives every such object a hidden class of its own: it takes 1.3 µs in place of 0.1, the classes are garbage that only a
 * collection of the whole heap frees, and code that gets the objects cannot be optimised for one class. Node 22 has no such fault.
 * `test/platform/object-spread.test.ts` tells when this can go.
 */
export function withSharedClasses(code) {
  const places = []
  visit(parseAst(code), node => {
    const [first, second] = node.type === 'ObjectExpression' ? node.properties : []
    if (first?.type === 'SpreadElement' && second) places.push(first.start)
  })
  let changed = ''
  let from = 0
  for (const place of places.sort((a, b) => a - b)) {
    changed += `${code.slice(from, place)}...null, `
    from = place
  }
  return changed + code.slice(from)
}

function visit(node, see) {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, see)
  } else if (node !== null && typeof node === 'object') {
    see(node)
    for (const key in node) visit(node[key], see)
  }
}
