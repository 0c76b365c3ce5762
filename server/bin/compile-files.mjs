// Runs before anything is installed or built: nothing but Node itself may be imported here, but for what a function imports.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

// Functions that some outputs would import. They are not installed: tsc does without them.
const runtime = '@oxc-project/runtime'

/**
 * Writes the output of single sources, as tsc would: each is compiled by itself (`isolatedModules`), and its types are left out.
 * False, and nothing is written, if one needs tsc, because of an error of syntax for example, which tsc describes.
 */
export async function compileFiles(files, { root, dist }) {
  // The compiler that Vite brings, in its version.
  const ofVite = createRequire(createRequire(import.meta.url).resolve('vite'))
  const { transformSync } = await import(pathToFileURL(ofVite.resolve('rolldown/utils')).href)
  const outputs = files.map(file => {
    const source = join(root, file)
    const output = join(dist, file.replace(/\.ts$/, '.js'))
    const { code, map, errors } = transformSync(source, readFileSync(source, 'utf8'), options)
    return { source, output, code, map, errors }
  })
  if (outputs.some(({ code, errors }) => errors.length > 0 || code.includes(runtime))) return false
  for (const { source, output, code, map } of outputs) {
    const place = { file: basename(output), sources: [relative(dirname(output), source)], sourcesContent: undefined }
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(`${output}.map`, JSON.stringify({ ...map, ...place }))
    writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`)
  }
  return true
}

// Those of tsconfig.json.
const options = {
  lang: 'ts',
  sourceType: 'module',
  target: 'es2023',
  sourcemap: true,
  tsconfig: false,
  typescript: { onlyRemoveTypeImports: true },
}
