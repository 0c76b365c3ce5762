// Shows the document. The viewer leaves defaults and limits of form fields out until a user tries the operation, and then
// fills what is optional with numbers of its own; so limits are added to the texts and fields left empty, here and nowhere else.

const limits = [
  ['default', value => `Default: ${code(value)}.`],
  ['enum', values => `One of ${values.map(code).join(', ')}.`],
  ['minimum', value => `At least ${code(value)}.`],
  ['maximum', value => `At most ${code(value)}.`],
  ['maxLength', value => `At most ${value} characters.`],
]
const code = value => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

function addLimits(schema) {
  const notes = limits.flatMap(([keyword, describe]) => (keyword in schema ? [describe(schema[keyword])] : []))
  schema.description = [schema.description, ...notes].filter(Boolean).join(' ')
}

function forms(document) {
  const operations = Object.values(document.paths).flatMap(path => Object.values(path))
  return operations
    .flatMap(operation => Object.values(operation.requestBody?.content ?? {}))
    .map(({ schema }) => schema)
}

function prepare({ properties, required = [] }) {
  for (const [name, schema] of Object.entries(properties)) {
    addLimits(schema)
    if (!required.includes(name)) schema.example = ''
  }
}

/** Fields that were left empty are not sent. */
function withoutEmpty(request) {
  if (typeof request.body !== 'string') return request
  const filled = [...new URLSearchParams(request.body)].filter(([, value]) => value !== '')
  return Object.assign(request, { body: new URLSearchParams(filled).toString() })
}

async function show() {
  const response = await fetch('openapi.json')
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`)
  const document = await response.json()
  forms(document).forEach(prepare)
  SwaggerUIBundle({
    spec: document,
    dom_id: '#viewer',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 2,
    defaultModelRendering: 'model',
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: false,
    validatorUrl: null,
    requestInterceptor: withoutEmpty,
  })
}

show().catch(error => {
  document.querySelector('#viewer').append(` It could not be shown: ${error.message}`)
})
