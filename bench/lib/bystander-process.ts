import { Bystanders, type Bystanding } from './bystanders.js'

// A separate process, so that its delays come from the server and not from other clients.
let bystanders: Bystanders | undefined

process.on('message', async (command: { readonly open?: Bystanding }) => {
  if (command.open) {
    bystanders = new Bystanders(command.open)
    await bystanders.open()
    process.send?.({ ok: true })
  } else process.send?.({ ok: true, stalls: bystanders?.look() })
})
process.on('disconnect', () => process.exit(0))
