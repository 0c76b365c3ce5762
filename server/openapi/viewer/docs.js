// Shows the document. The viewer leaves defaults and limits of form fields out until somebody tries the operation, so they
// are added to the texts here, and nowhere else.

const limits = [
  ['default', value => `Default: ${code(value)}.`],
  ['enum', values => `One of ${values.map(code).join(', ')}.`],
  ['minimum', value => `At least ${code(value)}.`],
  ['maximum', value => `At most ${code(value)}.`],
  ['maxLength', value => `At most ${value} characters.`],
]
const code = value => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

function tellLimits(schema) {
  const told = limits.flatMap(([keyword, tell]) => (keyword in schema ? [tell(schema[keyword])] : []))
  schema.description = [schema.description, ...told].filter(Boolean).join(' ')
}

function formFields(document) {
  const operations = Object.values(document.paths).flatMap(path => Object.values(path))
  const forms = operations.flatMap(operation => Object.values(operation.requestBody?.content ?? {}))
  return forms.flatMap(form => Object.values(form.schema.properties))
}

async function show() {
  const response = await fetch('openapi.json')
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`)
  const document = await response.json()
  formFields(document).forEach(tellLimits)
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
  })
}

show().catch(error => {
  document.querySelector('#viewer').append(` It could not be shown: ${error.message}`)
})
