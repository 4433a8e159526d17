Feature: The response that carries a stream

  @helix.wire.content-type @must
  Rule: A stream is an event stream

    Scenario: The head of a stream
      Given a stream that holds event 1
      When the client attaches
      Then the client receives event 1
      And no exchange of this scenario breaks this rule

  @helix.wire.cache-control @must
  Rule: No cache keeps a stream

    Scenario: The cache control of a stream
      Given a stream that holds event 1
      When the client attaches
      Then the client receives event 1
      And no exchange of this scenario breaks this rule

  @helix.wire.utf8 @must
  Rule: The body is UTF-8

    Scenario: A chunk with letters of many scripts
      Given a stream that holds event 1
      And an attached client
      When the writer writes a text_delta chunk with {"delta":"é ß Ж 日本 😀"}
      Then the client receives the next chunk
      And no exchange of this scenario breaks this rule

    @resume
    Scenario: A reader that is cut inside an event
      Given a stream that holds events 1 to 5
      And the client attaches
      And the client is cut after event 3 in mid-frame
      When the client resumes after event 3
      Then the client receives exactly events 4 to 5
      And no exchange of this scenario breaks this rule

  @helix.wire.no-bom @should-not
  Rule: The body begins with a frame

    Scenario: The first bytes of a stream
      Given a stream that holds event 1
      When the client attaches
      Then the client receives event 1
      And no exchange of this scenario breaks this rule

  @helix.wire.head @must
  Rule: A reader knows that it is attached

    Scenario: Attaching to a stream that is still empty
      Given a new stream
      When the client attaches
      Then the response head arrives before any event

    Scenario: Attaching at the latest event
      Given a stream that holds events 1 to 2
      When the client resumes after event 2
      Then the response head arrives before any event

  @helix.wire.stays-open @must
  Rule: Silence doesn't end a response

    Scenario: Nothing is written for a while
      Given a stream that holds event 1
      And an attached client that must stay on its connection
      When nothing is written for the idle time
      Then nothing else reaches the client

  @helix.wire.heartbeat @should @no-transcript:comments-come-by-the-clock
  Rule: Silence is filled with comments

    Scenario: Nothing is written for a heartbeat
      Given a stream that holds event 1
      And an attached client
      When nothing is written for a heartbeat of at most 15 s
      Then a comment has reached the client

  @helix.wire.compression @should-not
  Rule: Compression doesn't hold frames back

    Scenario: A client that accepts gzip
      Given a stream that holds event 1
      And the client attaches accepting gzip
      When the writer writes events 2 to 5
      Then the client receives events 1 to 5
      And nothing else reaches the client

    @resume
    Scenario: A client that resumes and accepts gzip
      Given a stream that holds events 1 to 4
      And the client resumes after event 2 accepting gzip
      And the client receives what it missed
      When the writer writes events 5 to 8, each after the client has received the one before
      Then nothing else reaches the client

  @helix.wire.accept-encoding @must
  Rule: Compression changes nothing else

    Scenario Outline: The end of a stream that has <finished> for a client that accepts gzip
      Given a stream that holds events 1 to 3
      And the stream has <finished>
      When the client attaches accepting gzip
      Then the client receives events 1 to 3
      And the client receives the <frame> frame
      And the response of the client ends without a break

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

    Scenario: The end under a client that accepts gzip
      Given a stream that holds events 1 to 3
      And the client attaches accepting gzip
      And the client receives events 1 to 3 first
      When the stream ends
      Then the client receives the end frame
      And the response of the client ends without a break

    @resume
    Scenario: Resuming with gzip a stream that has ended
      Given a stream that holds events 1 to 6
      And the stream has ended
      When the client resumes after event 4 accepting gzip
      Then the client receives events 5 to 6
      And the client receives the end frame
      And the response of the client ends without a break
