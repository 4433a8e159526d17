Feature: Refreshing a page

  @helix-ui.replay.default @should @replay
  Rule: What was said comes again

    Scenario: A refresh in the middle of a turn
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      And the page is refreshed
      When the agent passes "b"
      Then the response has the text "One. Two."

  @helix-ui.replay.once @must
  Rule: A refresh loses and repeats nothing

    Scenario: A refresh in a text
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      And the history is asked for
      And the page is refreshed
      When the agent passes "b"
      Then what the page shows of the answer is "One. Two.", from the history or the stream

    Scenario: A refresh after a call
      Given a request with this script:
        """
        [{"text": "One. "}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      And the history is asked for
      And the page is refreshed
      When the agent passes "b"
      Then what the page shows of the answer is "One. Two.", from the history or the stream

    Scenario: A refresh at the end of a text
      Given a request with this script:
        """
        [{"text": "One. Two."}, {"await": "b"}]
        """
      And the response has the text "One. Two." so far
      And the history is asked for
      And the page is refreshed
      When the agent passes "b"
      Then what the page shows of the answer is "One. Two.", from the history or the stream

    Scenario: A refresh after a thought
      Given a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One. "}, {"await": "b"}, {"thinking": "so"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      And the history is asked for
      And the page is refreshed
      When the agent passes "b"
      Then what the page shows of the answer is "One. Two.", from the history or the stream

    @reasoning
    Scenario: A refresh in the middle of a thought
      Given a request with this script:
        """
        [{"text": "One. "}, {"thinking": ["it is ", {"await": "a"}, "far ", {"await": "b"}, "away"]}, {"text": "Two."}]
        """
      And the page is refreshed whenever the agent waits
      When the response is over
      Then each page shows the answer once, from the history or the stream

    Scenario: A refresh at every moment of a turn
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "a"}, {"thinking": "hm hm"}, {"await": "b"}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"await": "c"}, {"text": "Two. "}, {"await": "d"}, {"tool": {"name": "weather", "arguments": {"city": "Oslo"}, "result": {"sky": "grey"}}}, {"await": "e"}, {"text": "Three."}, {"await": "f"}]
        """
      And the page is refreshed whenever the agent waits
      When the response is over
      Then each page shows the answer once, from the history or the stream

    Scenario: A refresh at every moment of a call
      Given a request with this script:
        """
        [{"text": "One. "}, {"part": {"type": "tool-input-start", "toolCallId": "call-1", "toolName": "weather"}}, {"text": "Two. "}, {"await": "a"}, {"part": {"type": "tool-input-delta", "toolCallId": "call-1", "inputTextDelta": "{\"city\":"}}, {"text": "Three. "}, {"await": "b"}, {"part": {"type": "tool-input-delta", "toolCallId": "call-1", "inputTextDelta": "\"Rome\"}"}}, {"part": {"type": "tool-input-available", "toolCallId": "call-1", "toolName": "weather", "input": {"city": "Rome"}}}, {"text": "Four. "}, {"await": "c"}, {"part": {"type": "tool-output-available", "toolCallId": "call-1", "output": {"sky": "sunny"}}}, {"await": "d"}, {"text": "Five."}]
        """
      And the page is refreshed whenever the agent waits
      When the response is over
      Then each page shows the answer once, from the history or the stream

    @approval
    Scenario: A refresh while the response to an approval is live
      Given a request with this script:
        """
        [{"text": "Let me pay. "}, {"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}},
         {"text": "It is paid. "}, {"await": "b"}, {"text": "Anything else?"}]
        """
      And the response has been read
      And the client answers its calls with ["approved"]
      And the response has the text "It is paid. " so far
      And the history is asked for
      And the page is refreshed
      When the agent passes "b"
      Then what the page shows of the answer is "Let me pay. It is paid. Anything else?", from the history or the stream
