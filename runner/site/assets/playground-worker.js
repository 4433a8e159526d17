// The worker of the playground: it starts the judge and gives it recordings.
let began;
const ready = new Promise((done, failed) => { self.judgeReady = error => error ? failed(new Error(error)) : done(); });

const start = async packed => {
  const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
  const body = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const {instance} = await WebAssembly.instantiateStreaming(new Response(body, {headers: {"content-type": "application/wasm"}}), go.importObject);
  go.run(instance);
  await ready;
};

self.onmessage = async ({data}) => {
  try {
    if (data.program) {
      began = start(data.program);
      await began;
      postMessage({kind: "ready", digest: self.judgeDigest});
      return;
    }
    await began;
    const reader = data.blob.stream().getReader();
    let waiting = [];
    const tell = text => {
      const message = JSON.parse(text);
      waiting.push(message);
      if (waiting.length >= 100 || message.kind === "progress" || message.kind === "done") {
        postMessage({kind: "told", run: data.run, messages: waiting});
        waiting = [];
      }
    };
    await self.judgeRecording(async () => { const {done, value} = await reader.read(); return done ? null : value; }, JSON.stringify(data.options), tell);
  } catch (error) {
    postMessage({kind: "failed", run: data.run, text: String(error?.message || error)});
  }
};
