import { fileURLToPath } from 'node:url'

const folders = ['events', 'resources'].map(name => fileURLToPath(new URL(`../../../shared/${name}/`, import.meta.url)))

/**
 * A Vite plugin that marks the values of constants in shared/events and shared/resources as free of side effects. Pages
 * import functions of these files; without the mark their schemas, and with them zod, would go along.
 */
export function droppableSchemas() {
  return {
    name: 'droppable-schemas',
    transform(code, id) {
      if (!folders.some(folder => id.startsWith(folder))) return null
      const values = this.parse(code)
        .body.map(statement => statement.declaration ?? statement)
        .filter(statement => statement.type === 'VariableDeclaration')
        .flatMap(({ declarations }) => declarations.map(({ init }) => init))
        .filter(init => init?.type === 'CallExpression')
      // From the end, so that earlier positions stay valid.
      const marked = values.reduceRight(
        (text, { start, end }) =>
          `${text.slice(0, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()${text.slice(end)}`,
        code,
      )
      return { code: marked, map: null }
    },
  }
}
