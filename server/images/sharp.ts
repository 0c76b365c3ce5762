import sharp from 'sharp'

// Only these loaders of the library can run: never SVG, which may contain scripts and refer to other files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map(name => `VipsForeignLoad${name}`),
})
// Decoding runs in threads of the library; a worker is one of several processes, so one thread for a picture is enough.
sharp.concurrency(1)
sharp.cache(false)

export { sharp }
