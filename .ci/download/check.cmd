@echo off
rem Drop schedules on this file. Every fault is listed at its cell; nothing is sent.
setlocal DisableDelayedExpansion
chcp 65001 >nul
title tripimport: check
if "%~1"=="" goto nothing
:next
echo Checking "%~nx1"
"%~dp0tripimport.exe" check "%~f1"
echo.
shift
if not "%~1"=="" goto next
goto end
:nothing
echo Drop a schedule, CSV or Excel, on this file.
:end
if not defined TRIPIMPORT_NO_PAUSE pause
