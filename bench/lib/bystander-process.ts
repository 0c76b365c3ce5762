import { Bystanders, type Bystanding } from './bystanders.js'

// A process of its own, so that its waits are the server's and not those of other clients.
let bystanders: Bystanders | undefined

process.on('message', async (command: { readonly open?: Bystanding }) => {
  if (command.open) {
    bystanders = new Bystanders(command.open)
    await bystanders.open()
    process.send?.({ ok: true })
  } else process.send?.({ ok: true, stalls: bystanders?.look() })
})
process.on('disconnect', () => process.exit(0))
