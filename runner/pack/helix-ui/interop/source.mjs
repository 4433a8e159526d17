// What an EventSource receives that comes back as often as it is cut: the data of all events, until it is told to stop. Reads
// each address that it is given, and writes an array of such arrays.
import { EventSource } from 'eventsource';

const read = (address) => new Promise((over) => {
  const data = [];
  const source = new EventSource(address);
  source.onmessage = (event) => data.push(event.data);
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) over(data);
  };
});

process.stdout.write(JSON.stringify(await Promise.all(process.argv.slice(2).map(read))));
