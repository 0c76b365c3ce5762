// Changes to packages that the bundle contains, until their authors publish them.
export const patches = [
  {
    // The pool of postgres.js takes a connection from the front of a list and later puts it at the end. The list loses its used front only
    // when it is empty, which it never is while another connection is idle: it grew with each query, and each query searched all of it.
    file: /\/postgres\/src\/queue\.js$/,
    from: 'xs[index - 1] = undefined',
    to: 'if (index * 2 < xs.length) xs[index - 1] = undefined\n        else {\n          xs = xs.slice(index)\n          index = 0\n        }',
  },
  {
    // V8 frees an object of a class that extends Promise, as a query is, and what it refers to, only when it collects the whole heap.
    // The parameters of a batch of messages are a hundred kilobytes.
    file: /\/postgres\/src\/connection\.js$/,
    from: 'query.resolve(results || result)',
    to: 'query.resolve(results || result)\n        query.args = query.parameters = null',
  },
]

/** The source of a module with the changes to it. @throws if a package changed so that a change does not fit any more. */
export function patched(code, id) {
  for (const { file, from, to } of patches) {
    if (!file.test(id.replaceAll('\\', '/'))) continue
    if (code.split(from).length !== 2) throw new Error(`server/bin/patches.mjs: the patch of ${id} does not fit`)
    return code.replace(from, to)
  }
  return undefined
}
