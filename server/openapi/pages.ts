import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { areas } from '../api/index.js'
import { projectRoot } from '../config/paths.js'
import type { Config } from '../config.js'
import type { Page } from '../http/document-pages.js'
import { prefix } from '../http/request-head.js'
import { openApiDocument } from './document.js'

// All resources come from this server. The viewer sets inline styles, hence 'unsafe-inline'.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The OpenAPI document of this server, and a page that shows it to people. */
export function documentPages({ wireBrand, publicUrl }: Pick<Config, 'wireBrand' | 'publicUrl'>): Page[] {
  const server = { brand: wireBrand, url: `${publicUrl ?? ''}${prefix}` }
  const document = () => Buffer.from(JSON.stringify(openApiDocument(areas, server)))
  return [
    page('/openapi.json', 'application/json', document),
    { ...page('/docs', 'text/html; charset=utf-8', own('docs.html')), headers: [['Content-Security-Policy', policy]] },
    page('/docs/docs.css', 'text/css; charset=utf-8', own('docs.css')),
    page('/docs/docs.js', 'text/javascript; charset=utf-8', own('docs.js')),
    page('/docs/swagger-ui.css', 'text/css; charset=utf-8', viewer('swagger-ui.css')),
    page('/docs/swagger-ui.js', 'text/javascript; charset=utf-8', viewer('swagger-ui-bundle.js')),
  ]
}

const page = (path: string, type: string, read: () => Buffer): Page => ({ path, type, headers: [], read })

const own = (name: string) => () => readFileSync(join(projectRoot, 'server/openapi/viewer', name))

/** Swagger UI from the package that contains only its files: the original package counts installations. */
const viewer = (name: string) => () => {
  const packageFile = createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')
  return readFileSync(join(dirname(packageFile), 'static', name))
}
